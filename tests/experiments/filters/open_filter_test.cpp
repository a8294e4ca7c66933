#include "experiments/filters/open_filter.hpp"

#include <memory>
#include <string>

#include "core/error.hpp"
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

TEST_CASE("a compressed file of bloometry is named as such", "[filters]") {
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

}  // namespace bloometry
