#include "experiments/filter_files/parquet_footer.hpp"

#include <string>

#include "tests/experiments/filter_files/parquet_files.hpp"
#include "tests/support/catch.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;
using test::file_of;
using test::footer_of;

}  // namespace

TEST_CASE("parquet footer: the filters of a file of DuckDB are found", "[filters]") {
  const std::string file = test::parquet_file_with_filters();
  const auto filters = bloom_filters_of_parquet(file);
  REQUIRE(filters);
  CHECK(filters->num_filters == 2);
  CHECK(filters->first_column == "name");
  CHECK(filters->first_offset == 214);
  CHECK(filters->first_bytes == 47);
  const auto filter =
      ParquetSbbfFilter::parse(file.substr(filters->first_offset, filters->first_bytes));
  for (int i = 0; i < 10; ++i) CHECK(filter.contains("key " + std::to_string(i)));
  CHECK_FALSE(filter.contains("key 10"));
  const auto none = bloom_filters_of_parquet(test::parquet_file_without_filters());
  REQUIRE(none);
  CHECK(none->num_filters == 0);
}

TEST_CASE("parquet footer: the header states the length if the metadata do not", "[filters]") {
  const std::string filter = ParquetSbbfFilter(3).serialize();
  // path_in_schema {"a", "b"}, and bloom_filter_offset 4 as a field with an explicit id of 14.
  const std::string file = file_of(filter, footer_of("\x39\x28\1a\1b\6\x1c\x8"s));
  const auto filters = bloom_filters_of_parquet(file);
  REQUIRE(filters);
  CHECK(filters->num_filters == 1);
  CHECK(filters->first_column == "a.b");
  CHECK(filters->first_offset == 4);
  CHECK(filters->first_bytes == filter.size());
}

TEST_CASE("parquet footer: a header of 2^63 - 1 bytes, or without an end, is not a filter",
          "[filters]") {
  const auto num_filters = [](const std::string& header) {
    const std::string file = file_of(header, footer_of("\x39\x28\1a\1b\6\x1c\x8"s));
    return bloom_filters_of_parquet(file)->num_filters;
  };
  CHECK(num_filters("\x15\xfe"s + std::string(8, '\xff') + "\1\0"s) == 0);
  CHECK(num_filters("\x15\2\0\x7f"s) == 1);
  // A field of 1000 bytes follows the number of bytes, which a header of Parquet does not contain.
  CHECK(num_filters("\x15\2\x18\xe8\7"s + std::string(1000, 'x') + "\0\x7f"s) == 0);
}

TEST_CASE("parquet footer: offsets outside the file are not filters", "[filters]") {
  const auto num_filters = [](const std::string& offset_and_length) {
    const std::string file = file_of("0123456789", footer_of("\6\x1c"s + offset_and_length));
    return bloom_filters_of_parquet(file)->num_filters;
  };
  CHECK(num_filters("\x8\x15\x14"s) == 1);  // 10 bytes from offset 4
  CHECK(num_filters("\x8\x15\x16"s) == 0);  // 11 bytes from offset 4
  CHECK(num_filters("\x1c\x15\0"s) == 0);   // 0 bytes from offset 14, the footer
  CHECK(num_filters("\x7\x15\x14"s) == 0);  // offset -4
  CHECK(num_filters("\x8\x15\x13"s) == 0);  // -10 bytes, and the header is not valid
}

TEST_CASE("parquet footer: damaged files are refused or give places inside the file", "[filters]") {
  const std::string file = test::parquet_file_with_filters();
  const auto is_inside = [](const std::string& bytes) {
    const auto filters = bloom_filters_of_parquet(bytes);
    return !filters || filters->num_filters == 0 ||
           filters->first_offset + filters->first_bytes <= bytes.size();
  };
  for (std::size_t size = 0; size < file.size(); ++size) {
    CHECK_FALSE(bloom_filters_of_parquet(file.substr(0, size)));
    CHECK(is_inside(file.substr(0, size) + "PAR1"));
  }
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const int value : {0, 1, 0x1c, 0x7f, 0xf9, 0xff}) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(value);
      CHECK(is_inside(damaged));
    }
  }
  // Nested structs without an end, and a list of 2^63 elements.
  CHECK_FALSE(bloom_filters_of_parquet(file_of("", std::string(100'000, '\x1c'))));
  CHECK_FALSE(bloom_filters_of_parquet(file_of("", "\x49\xfc"s + std::string(9, '\xff') + '\1')));
}

}  // namespace bloometry
