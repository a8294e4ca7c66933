#include "experiments/keys/key_count.hpp"

#include "experiments/keys/line_ends.hpp"
#include "experiments/keys/split_csv.hpp"

namespace bloometry {
namespace {

std::uint64_t count_records(const KeyFormat& format, std::string_view bytes) {
  if (format.is_binary()) return bytes.size() / format.integer_bytes();
  if (format.kind == KeyFormat::Kind::kCsv) return count_csv_rows(bytes);
  const bool has_open_end = !bytes.empty() && bytes.back() != '\n';
  return count_line_ends(bytes.data(), bytes.data() + bytes.size()) + std::uint64_t{has_open_end};
}

}  // namespace

std::uint64_t count_keys(KeyInput& input, const std::function<void()>& on_batch) {
  KeyBatch batch;
  std::uint64_t count = 0;
  while (input.read(batch)) {
    count += count_records(input.format(), batch.bytes);
    on_batch();
  }
  input.rewind();
  return count;
}

}  // namespace bloometry
