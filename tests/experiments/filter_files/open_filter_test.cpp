#include "experiments/filter_files/open_filter.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "tests/experiments/filter_files/parquet_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

const SizeRequest kBitmapSizes{.num_bits = 8000, .num_hashes = 5};

/// FilterFiles and the errors of open_filter.
class FilterFiles {
 public:
  /// Returns the error of a file with the given bytes, from the name of the file on.
  [[nodiscard]] std::string error_of(const std::string& bytes, const OpenOptions& options) const {
    test::write_text(folder_ / "f", bytes);
    return error_at(folder_ / "f", options);
  }

  [[nodiscard]] std::string error_at(const std::filesystem::path& path,
                                     const OpenOptions& options) const {
    const std::string error =
        test::message_of<ConfigError>([&] { static_cast<void>(open_filter(path, options)); });
    const std::string folder = folder_.path().string() + "/";
    return error.starts_with(folder) ? error.substr(folder.size()) : error;
  }

  /// Returns the bytes of a filter of the format.
  [[nodiscard]] std::string bytes_of(std::string_view format) const {
    if (format == BloometryFilter::kFormat) {
      BloometryFilter(
          find_variant("standard").schemes.front().make({.num_bits = 640, .num_hashes = 3}),
          FilterHash("xxh3", 0, std::nullopt), FileHeader{})
          .write(folder_ / "b");
    } else {
      make_foreign_filter(format, {.num_keys = 10, .rate = 0.01})->write(folder_ / "b");
    }
    return test::read_text(folder_ / "b");
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  test::TempFolder folder_;
};

const std::string kPickle = "\x80\4\x95\4."s;

}  // namespace

TEST_CASE("an empty file is refused in every format", "[filters]") {
  const FilterFiles files;
  std::vector<std::string_view> formats = {BloometryFilter::kFormat};
  for (const std::string_view format : foreign_file_formats()) formats.push_back(format);
  for (const std::string_view format : formats) {
    CAPTURE(format);
    OpenOptions options{.format = std::string(format)};
    const bool is_bitmap =
        format == "jedis" || format == "pyrebloom" || format == "php3" || format == "go_seeded";
    if (is_bitmap) options.sizes = {.num_bits = 8192, .num_hashes = 3};
    const std::string error = "f must be a filter file of " + std::string(format) +
                              ", got an empty file; `bloometry filter build --allow-empty` makes "
                              "an empty filter";
    CHECK(files.error_of("", options) == error);
    if (format == BloometryFilter::kFormat) continue;
    // An empty file that was compressed by gzip.
    CHECK(files.error_of("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0"s, options) == error);
    // One byte of a bitmap is a filter, because Redis omits the zeros behind the last set bit.
    if (is_bitmap) CHECK(files.error_of("\x80", options) == "nothing thrown");
  }
}

TEST_CASE("a missing file whose name may be a secret is not named", "[filters]") {
  const std::string secret = "000102030405060708090a0b0c0d0e0f";
  CHECK(test::message_of<ConfigError>([&] { static_cast<void>(open_filter(secret, {})); }) ==
        "(32 hexadecimal digits, which may be a secret) must be a filter file: No such file or "
        "directory");
  CHECK(test::message_of<ConfigError>([&] { static_cast<void>(read_secret(secret)); }) ==
        "secret must be the name of a file with 32 hexadecimal digits, got a name that cannot be "
        "opened: No such file or directory");
}

TEST_CASE("open_filter: the error for another format gives the option that reads it", "[filters]") {
  const FilterFiles files;
  constexpr std::array<std::string_view, 2> kOnlyGuava = {"bloometry", "guava"};
  for (const std::string format : {"guava", "go_bits_and_blooms", "go_bits_and_blooms_json",
                                   "redisbloom", "parquet_sbbf", "dcso"}) {
    CAPTURE(format);
    const std::string bytes = files.bytes_of(format);
    CHECK(files.error_of(bytes, {}) ==
          "f must be a filter file of bloometry, got one of " + format + ": give --from " + format);
    // A command without the option --from.
    CHECK(files.error_of(bytes, {.formats = {}}) ==
          "f must be a filter file of bloometry, got one of " + format +
              ", which this command does not read");
    const std::string other = format == "guava" ? "dcso" : "guava";
    CHECK(files.error_of(bytes, {.format = other}) == "f must be a filter file of " + other +
                                                          ", got one of " + format +
                                                          ": give --from " + format);
    if (format == "guava") continue;
    CHECK(files.error_of(bytes, {.formats = kOnlyGuava})
              .ends_with("which this command does not read"));
  }
}

TEST_CASE("open_filter: a filter of bloometry does not need --from", "[filters]") {
  const FilterFiles files;
  const std::string bytes = files.bytes_of("bloometry");
  CHECK(files.error_of(bytes, {.format = "guava"}) ==
        "f must be a filter file of guava, got one of bloometry: leave out --from");
  const std::string of_bitmap =
      "f must be a filter file of jedis, got one of bloometry: leave out --from";
  CHECK(files.error_of(bytes, {.format = "jedis", .sizes = kBitmapSizes}) == of_bitmap);
  CHECK(files.error_of(bytes, {.format = "jedis"}) == of_bitmap);
  CHECK(files.error_of("\x80\4."s, {.format = "jedis"}).starts_with("num_bits must be given"));
}

TEST_CASE("open_filter: files of other programs are reported with advice", "[filters]") {
  const FilterFiles files;
  const std::string parquet = test::parquet_file_with_filters();
  const std::string advice =
      "got a whole Parquet file: copy one of its 2 Bloom filters to a file, e.g. that of column "
      "name by `tail -c +215 PARQUET | head -c 47 > FILTER`";
  CHECK(files.error_of(parquet, {}) ==
        "f must be a filter file of bloometry, " + advice + "; then give --from parquet_sbbf");
  CHECK(files.error_of(parquet, {.formats = {}}) ==
        "f must be a filter file of bloometry, " + advice);
  CHECK(files.error_of(parquet, {.format = "parquet_sbbf"}) ==
        "f must be a filter file of parquet_sbbf, " + advice);
  CHECK(
      files.error_of(kPickle, {}) ==
      "f must be a filter file of bloometry, got a pickle of Python: build a filter from its keys "
      "by `bloometry filter build`");
  CHECK(files.error_of("key\nkey\n", {})
            .starts_with("f must be a filter file of bloometry, got text"));
}

TEST_CASE("open_filter: a bitmap is refused only if its bytes are certainly another format",
          "[filters]") {
  const FilterFiles files;
  const OpenOptions options{.format = "jedis", .sizes = kBitmapSizes};
  CHECK(files.error_of("PK\3\4"s + std::string(900, 'x'), options) ==
        "f must be a filter file of jedis, got a ZIP archive: unpack it first");
  // The last set bit of the bitmap is near m, and any bitmap may begin as a pickle does.
  CHECK(files.error_of("\x80\4"s + std::string(997, 'x') + ".", options) == "nothing thrown");
  // A bitmap that is longer than m bits is an error, so the first bytes are probably not bits.
  CHECK(files.error_of("\x80\4"s + std::string(998, 'x') + ".", options)
            .starts_with("f must be a filter file of jedis, got a pickle of Python"));
}

TEST_CASE("open_filter: a line end that redis-cli added to a bitmap is explained", "[filters]") {
  const FilterFiles files;
  const OpenOptions options{.format = "jedis", .sizes = kBitmapSizes};
  const std::string bits(1000, 'x');
  const std::string hint = "by `head -c -1`";
  CHECK(files.error_of(bits, options) == "nothing thrown");
  CHECK(files.error_of(bits + '\n', options).ends_with(hint));
  CHECK_FALSE(files.error_of(bits + "\n\n", options).ends_with(hint));
  CHECK_FALSE(files.error_of(bits + 'x', options).ends_with(hint));
}

TEST_CASE("open_filter: unknown bytes are refused without naming a format", "[filters]") {
  const FilterFiles files;
  CHECK(files.error_of("\1\2\3"s, {}) ==
        "f must be a filter file of bloometry; for a file of another program, give its format by "
        "--from");
  CHECK(files.error_of("\1\2\3"s, {.formats = {}}) ==
        "f must be a filter file of bloometry; this command does not read files of other programs");
  CHECK(files.error_of("\1\2\3"s, {.format = "dcso"}).starts_with("f: dcso file must"));
  CHECK(files.error_of("key\nkey\n", {.format = "dcso"}).starts_with("f: dcso file must"));
}

TEST_CASE("open_filter: the error for a folder states whether it is a run folder", "[filters]") {
  const FilterFiles files;
  const auto run = files.folder() / "run";
  std::filesystem::create_directory(run);
  CHECK(files.error_at(run, {}) == "run must be a regular file, got a folder");
  test::write_text(run / "manifest.json", "{}");
  CHECK(
      files.error_at(run, {}) ==
      "run must be a filter file, got a folder of `bloometry sweep run`, which contains rates and "
      "no filters");
  CHECK(files.error_at(files.folder() / "none", {}) ==
        "none must be a filter file: No such file or directory");
}

}  // namespace bloometry
