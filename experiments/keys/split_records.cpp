#include "experiments/keys/split_records.hpp"

#include <algorithm>
#include <cstring>

#include "experiments/keys/decode_keys.hpp"
#include "experiments/keys/line_ends.hpp"
#include "experiments/keys/split_csv.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kFewKeys = 4096;  // initial capacity for the keys of a batch of lines

void make_room(KeyBatch& batch, std::size_t num_keys, bool with_records) {
  if (batch.keys.size() < num_keys) batch.keys.resize(num_keys);
  if (with_records && batch.records.size() < batch.keys.size()) {
    batch.records.resize(batch.keys.size());
  }
}

/// Returns the key of a line, given the start and the end of the line.
KeyView key_of_line(const char* begin, const char* end) {
  if (end > begin && end[-1] == '\r') --end;
  return std::string_view(begin, static_cast<std::size_t>(end - begin));
}

template <bool kWithRecords>
void split_lines(KeyBatch& batch) {
  const char* const begin = batch.bytes.data();
  const char* const end = begin + batch.bytes.size();
  make_room(batch, kFewKeys, kWithRecords);
  const char* line = begin;
  std::size_t num_keys = 0;
  const auto add_record = [&](const char* line_end, std::size_t end_bytes) {
    if (num_keys == batch.keys.size()) [[unlikely]] {
      make_room(batch, 2 * num_keys, kWithRecords);
    }
    batch.keys[num_keys] = key_of_line(line, line_end);
    const char* const next = line_end + end_bytes;
    if constexpr (kWithRecords) {
      batch.records[num_keys] = {line, static_cast<std::size_t>(next - line)};
    }
    ++num_keys;
    line = next;
  };
  for_each_line_end(begin, end, [&](const char* line_end) { add_record(line_end, 1); });
  if (line != end) add_record(end, 0);
  batch.num_keys = num_keys;
}

/// Stores the keys in batch.decoded with their bytes reversed.
void reverse_integers(KeyBatch& batch, std::size_t width) {
  if (batch.decoded.size() < width * batch.num_keys) batch.decoded.resize(width * batch.num_keys);
  for (std::size_t i = 0; i < batch.num_keys; ++i) {
    char* const bytes = batch.decoded.data() + width * i;
    std::reverse_copy(batch.keys[i].data(), batch.keys[i].data() + width, bytes);
    batch.keys[i] = std::string_view(bytes, width);
  }
}

void split_integers(const KeyFormat& format, KeyBatch& batch, bool with_records) {
  const std::size_t width = format.integer_bytes();
  const std::size_t num_keys = batch.bytes.size() / width;
  make_room(batch, num_keys, with_records);
  batch.num_keys = num_keys;
  for (std::size_t i = 0; i < num_keys; ++i) {
    const std::string_view record = batch.bytes.substr(width * i, width);
    batch.keys[i] = record;
    if (with_records) batch.records[i] = record;
  }
  if (format.is_big_endian()) reverse_integers(batch, width);
}

}  // namespace

void split_records(const KeyFormat& format, KeyBatch& batch, bool with_records) {
  if (format.is_binary()) return split_integers(format, batch, with_records);
  if (format.kind == KeyFormat::Kind::kCsv) {
    split_csv(batch, with_records);
  } else {
    with_records ? split_lines<true>(batch) : split_lines<false>(batch);
  }
  decode_keys(format, batch);
}

}  // namespace bloometry
