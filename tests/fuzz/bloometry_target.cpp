#define XXH_INLINE_ALL
#ifndef NDEBUG
#define XXH_NO_INLINE_HINTS 1
#endif
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/file/stored_file.hpp"
#include "core/hash/mix.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/file_parts.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/mapped_filters.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::fuzz {
namespace {

constexpr std::size_t kNumDigests = 16;

std::array<Digest, kNumDigests> some_digests() {
  std::array<Digest, kNumDigests> digests;
  for (std::uint64_t i = 0; i < kNumDigests; ++i) {
    digests[i] = {mix64(2 * i + 1), mix64(~i * kGoldenGamma)};
  }
  return digests;
}

std::vector<bool> answers_of(const AnyFilter& filter) {
  const auto digests = some_digests();
  std::array<bool, kNumDigests> answers{};
  filter.contains(digests, answers);
  return std::vector<bool>(answers.begin(), answers.end());
}

/// Returns the bytes that save() would write.
std::string bytes_of(const LoadedFilter& loaded) {
  FilterImage image = loaded.filter.image();
  image.header.hash = loaded.header.hash;
  image.header.seed = loaded.header.seed;
  image.header.key_id = loaded.header.key_id;
  image.header.notes = with_notes(image.header.notes, loaded.header.notes);
  std::string payload;
  for (const std::span<const std::uint64_t> store : image.stores) {
    payload.append(reinterpret_cast<const char*>(store.data()), store.size_bytes());
    payload.resize((payload.size() + kFileAlignment - 1) / kFileAlignment * kFileAlignment);
  }
  return encode_header(image.header, payload.size(), XXH3_64bits(payload.data(), payload.size())) +
         payload;
}

/// Returns the number of bytes that reading a file may allocate. The limit includes the cells and
/// three copies of the header: as read, as parsed, and in the filter's spec or the result. The
/// limit also includes map nodes for each field, the hash state for the checksum, and a table and a
/// store per stage (variants/scalable/block_rate_sum.hpp).
std::uint64_t most_bytes(std::string_view input) {
  constexpr std::uint64_t kFieldBytes = 512;
  constexpr std::uint64_t kStageBytes = 6 * 1024;
  const FileParts parts = parts_of(input);
  std::uint64_t num_stages = 0;
  for (const FieldPart& field : parts.fields) {
    if (field.name == "stages") num_stages += field.value.size() / 40;
  }
  return 3 * input.size() + kFieldBytes * parts.fields.size() + kStageBytes * num_stages +
         4 * kConstantBytes;
}

/// Returns read(path) under the allocation limit, or nullopt if the file is refused. Requires that
/// an error message contains the file's path and only printable characters.
template <class Read>
auto read_file(std::string_view input, const InputFile& file, Read read)
    -> std::optional<decltype(read(file.path()))> {
  const std::uint64_t most = most_bytes(input);
  try {
    return within_limit(input.size(), most, [&] { return read(file.path()); });
  } catch (const ConfigError& error) {
    const std::string_view text = error.what();
    require(text.starts_with(file.path().native()) &&
                text.find(" cannot be read as a filter file: ") != std::string_view::npos,
            "an error names the file");
    require(std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }),
            "an error shows no control characters of the file");
    return std::nullopt;
  }
}

/// Whether the target maps files with this header. It maps only filters of a fixed size.
bool can_be_mapped(const FileHeader& header) {
  return test::is_mappable(header.variant, header.probes) &&
         !find_variant(header.variant).can(Operation::kGrow);
}

/// Loads a file so that the registry fills its tables of classes. Allocations are not counted
/// during this call.
void fill_tables(const InputFile& file) {
  FilterImage image = make_filter("standard", "remix", {.num_bits = 512, .num_hashes = 1}).image();
  const std::string payload(64, '\0');
  file.write(encode_header(image.header, 64, XXH3_64bits(payload.data(), 64)) + payload);
  const LoadedFilter loaded = load_any(file.path());
  require(can_be_mapped(loaded.header), "a standard filter can be mapped");
}

void require_written_again(const LoadedFilter& loaded, const InputFile& file) {
  const std::string bytes = bytes_of(loaded);
  file.write(bytes);
  const LoadedFilter again = load_any(file.path());
  require(again.filter == loaded.filter, "a filter that is written is read again");
  require(again.filter.state() == loaded.filter.state(), "and has the same state");
  require(bytes_of(again) == bytes, "equal filters make equal bytes");
}

void use(const LoadedFilter& loaded) {
  const std::vector<bool> answers = answers_of(loaded.filter);
  for (const std::uint64_t divisor : {std::uint64_t{2}, std::uint64_t{3}}) {
    if (!loaded.filter.can_fold()) break;
    try {
      const std::vector<bool> of_folded = answers_of(loaded.filter.fold(divisor));
      for (std::size_t i = 0; i < answers.size(); ++i) {
        require(!answers[i] || of_folded[i], "a folded filter contains what the filter does");
      }
    } catch (const ConfigError&) {
      // The filter cannot be folded by the divisor.
    }
  }
  // An insert into a growing filter may open a stage, whose size depends on parameters in the file.
  if (!loaded.header.stages.empty()) return;
  AnyFilter more = loaded.filter;
  const auto digests = some_digests();
  more.insert(digests);
  // Counters with values from 1 to L - 1 can cause false negatives. Inserts never produce such
  // values, and the reader accepts them.
  if (loaded.filter.name() == "variable_increment") return;
  require(more.count_positives(digests) == digests.size(), "a key that was inserted is present");
}

/// Requires that a file can be mapped with all checks if and only if it can be loaded. The mapped
/// filter and the loaded filter must give the same answers.
void require_mapped_alike(std::string_view input, const InputFile& file, const FileHeader& header,
                          const std::optional<LoadedFilter>& loaded) {
  if (!can_be_mapped(header)) return;
  const auto map_with = [&](MappedFile::Checks checks) {
    return read_file(input, file, [&](const auto& path) {
      return test::map_any(header.variant, header.probes, path, checks);
    });
  };
  const auto digests = some_digests();
  const auto unchecked = map_with(MappedFile::Checks::kHeader);
  if (unchecked) (*unchecked)(digests);
  const auto checked = map_with(MappedFile::Checks::kAll);
  require(checked.has_value() == loaded.has_value(),
          "a file is mapped if and only if it is loaded");
  if (!checked) return;
  require(unchecked.has_value(), "fewer checks accept what more checks do");
  const test::MappedAnswers answers = (*checked)(digests);
  require(answers.are_present == answers_of(loaded->filter), "mapped and loaded answer alike");
  require(answers.state == loaded->filter.state(), "mapped and loaded have one state");
}

}  // namespace

bool run_bloometry(std::string_view input) {
  static const InputFile file;
  [[maybe_unused]] static const bool kIsReady = (fill_tables(file), true);
  file.write(input);
  const auto header = read_file(input, file, [](const auto& path) { return read_header(path); });
  if (!header) return false;  // the other readers first parse the header with the same code
  const auto intact = read_file(input, file, [](const auto& path) {
    verify_checksums(path);
    return true;
  });
  const auto loaded = read_file(input, file, [](const auto& path) { return load_any(path); });
  require(!loaded || intact, "what is loaded has right checksums");
  require_mapped_alike(input, file, *header, loaded);
  if (!loaded) return false;
  use(*loaded);
  require_written_again(*loaded, file);
  return true;
}

}  // namespace bloometry::fuzz
