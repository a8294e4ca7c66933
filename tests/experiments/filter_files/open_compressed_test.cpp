#include <memory>
#include <string>

#include "core/error.hpp"
#include "experiments/filter_files/open_filter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

/// Returns the bytes of a filter in a format that needs neither m nor k.
std::string filter_bytes(const test::TempFolder& folder, std::string_view format) {
  const auto filter = make_foreign_filter(format, {.num_keys = 100, .rate = 0.01});
  const std::string key = "a";
  const KeyView view(key);
  filter->insert({&view, 1});
  filter->write(folder / "filter");
  return test::read_text(folder / "filter");
}

std::string error_of_opening(const std::filesystem::path& path, const OpenOptions& options) {
  return test::message_of<ConfigError>([&] { static_cast<void>(open_filter(path, options)); });
}

}  // namespace

TEST_CASE("compressed files of other programs are decompressed", "[filters]") {
  const test::TempFolder folder;
  for (const std::string_view format : {"guava", "go_bits_and_blooms", "go_bits_and_blooms_json",
                                        "redisbloom", "parquet_sbbf", "dcso"}) {
    CAPTURE(format);
    const std::string bytes = filter_bytes(folder, format);
    const OpenOptions options{.format = std::string(format)};
    for (const std::string& packed : {test::gzip_of(bytes), test::zstd_of(bytes)}) {
      test::write_text(folder / "packed", packed);
      const auto filter = open_filter(folder / "packed", options);
      filter->write(folder / "again");
      CHECK(test::read_text(folder / "again") == bytes);
      for (std::size_t size = 10; size < packed.size(); size += 7) {
        test::write_text(folder / "cut", packed.substr(0, size));
        CHECK(test::contains_text(error_of_opening(folder / "cut", options), "must be complete "));
      }
      test::write_text(folder / "long", packed + "x");
      CHECK(error_of_opening(folder / "long", options) != "nothing thrown");
    }
  }
}

TEST_CASE("a compressed file of bloometry is reported by name", "[filters]") {
  const test::TempFolder folder;
  test::write_text(folder / "f.gz", test::gzip_of("\x89"
                                                  "BLMY"));
  CHECK(error_of_opening(folder / "f.gz", {}) ==
        (folder / "f.gz").string() +
            " must be a filter file of bloometry, got gzip data; decompress the file first");
  test::write_text(folder / "f.zst", test::zstd_of("\x89"
                                                   "BLMY"));
  CHECK(test::contains_text(error_of_opening(folder / "f.zst", {}), "got zstd data"));
}

TEST_CASE("a filter of go_seeded is read from the bit set of Go", "[filters]") {
  const test::TempFolder folder;
  for (const std::uint64_t num_bits : {1U, 63U, 64U, 65U, 1000U, 9586U}) {
    CAPTURE(num_bits);
    const SizeRequest sizes{.num_bits = num_bits, .num_hashes = 3};
    const auto filter = make_foreign_filter("go_seeded", sizes);
    for (const char* key : {"a", "b", "caf\xc3\xa9"}) {
      const KeyView view{std::string_view(key)};
      filter->insert({&view, 1});
    }
    std::string bytes;
    const auto append = [&](std::uint64_t word) {
      for (int i = 7; i >= 0; --i) bytes.push_back(static_cast<char>(word >> 8 * i & 0xff));
    };
    append(num_bits);
    const auto cells = filter->cells();
    for (const std::uint64_t word : cells.front()) append(word);
    test::write_text(folder / "go", bytes);
    const OpenOptions options{.format = "go_seeded", .sizes = sizes};
    const auto again = open_filter(folder / "go", options);
    filter->write(folder / "expected");
    again->write(folder / "again");
    CHECK(test::read_text(folder / "again") == test::read_text(folder / "expected"));
    CHECK(test::contains_text(
        error_of_opening(folder / "go", {.format = "go_seeded",
                                         .sizes = {.num_bits = num_bits + 1, .num_hashes = 3}}),
        "num_bits must be " + std::to_string(num_bits) +
            ", the length of the bit set in the file"));
    test::write_text(folder / "cut", bytes.substr(0, bytes.size() - 1));
    CHECK(error_of_opening(folder / "cut", options) != "nothing thrown");
    if (num_bits % 64 == 0) continue;
    bytes[bytes.size() - 8] |= '\x80';
    test::write_text(folder / "beyond", bytes);
    CHECK(test::contains_text(error_of_opening(folder / "beyond", options),
                              "the bit set of Go must not have bits set from bit " +
                                  std::to_string(num_bits) + " on, got bit "));
  }
}

}  // namespace bloometry
