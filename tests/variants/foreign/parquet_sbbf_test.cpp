#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/foreign/parquet_sbbf_of_keys.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_theory.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;

std::vector<std::string> items(int num_items) {
  std::vector<std::string> keys;
  for (int i = 0; i < num_items; ++i) keys.push_back("item-" + std::to_string(i));
  return keys;
}

// The header of a file with one block, in parts.
constexpr std::string_view kNumBytes = "\x15\x40"sv;
constexpr std::string_view kMember = "\x1c\x1c\0\0"sv;
constexpr std::string_view kStop = "\0"sv;

/// Returns a file of one block whose bits are all clear. The header consists of the given parts.
std::string file_with(const std::vector<std::string_view>& parts) {
  std::string bytes;
  for (const std::string_view part : parts) bytes += part;
  return bytes + std::string(32, '\0');
}

std::string sbbf_error(const std::string& bytes) {
  return test::message_of<ConfigError>([&] { (void)ParquetSbbfFilter::parse(bytes); });
}

std::uint64_t num_bytes_for(std::uint64_t num_keys, double rate) {
  return ParquetSbbfFilter::for_capacity(num_keys, rate).num_bits() / 8;
}

}  // namespace

TEST_CASE("parquet_sbbf: sizes equal those of Arrow C++", "[foreign]") {
  CHECK(num_bytes_for(0, 0.01) == 32);
  CHECK(num_bytes_for(1, 0.01) == 32);
  CHECK(num_bytes_for(26, 0.01) == 32);  // 251.8 bits
  CHECK(num_bytes_for(27, 0.01) == 64);
  CHECK(num_bytes_for(1000, 0.01) == 2048);
  CHECK(num_bytes_for(1'000'000, 0.01) == 2 * 1024 * 1024);
  CHECK(num_bytes_for(1'000'000, 0.001) == 2 * 1024 * 1024);
  CHECK(num_bytes_for(1'000'000, 0.0001) == 4 * 1024 * 1024);
  // 1024.9997 bits are truncated to 1024, which is a power of two already.
  CHECK(num_bytes_for(100, 0.0074272) == 128);
  const std::uint64_t most = 128 * 1024 * 1024;
  CHECK(num_bytes_for((std::uint64_t{1} << 32U) - 1, 0.01) == most);
  CHECK(num_bytes_for(1000, 1e-300) == most);
}

TEST_CASE("parquet_sbbf: impossible sizes and rates are refused", "[foreign]") {
  for (const double rate : {0.0, 1.0, -1.0, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(ParquetSbbfFilter::for_capacity(10, rate), ConfigError);
  }
  CHECK_THROWS_WITH(ParquetSbbfFilter::for_capacity(std::uint64_t{1} << 32U, 0.01),
                    "capacity must be below 2^32, got 4294967296");
  CHECK_THROWS_WITH(ParquetSbbfFilter(0), "num_blocks must be in [1, 67108863], got 0");
  CHECK_THROWS_WITH(ParquetSbbfFilter(67'108'864),
                    "num_blocks must be in [1, 67108863], got 67108864");
}

TEST_CASE("parquet_sbbf: a fold equals a filter built with the smaller size", "[foreign]") {
  const auto keys = items(300);
  const auto large = test::parquet_sbbf_of(keys, 12);
  for (const std::uint64_t divisor : {1, 2, 3, 4, 6, 12}) {
    CAPTURE(divisor);
    CHECK(large.fold(divisor).serialize() == test::parquet_sbbf_of(keys, 12 / divisor).serialize());
  }
  CHECK_THROWS_WITH(large.fold(5), "fold divisor must divide num_blocks 12, got 5");
  CHECK_THROWS_AS(large.fold(0), ConfigError);
}

TEST_CASE("parquet_sbbf: files of any other length are refused", "[foreign]") {
  for (const std::uint64_t num_blocks : {1, 3, 32}) {
    const std::string bytes = test::parquet_sbbf_of(items(50), num_blocks).serialize();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CAPTURE(num_blocks, size);
      CHECK_THROWS_AS(ParquetSbbfFilter::parse(bytes.substr(0, size)), ConfigError);
    }
    CHECK_THROWS_AS(ParquetSbbfFilter::parse(bytes + '\0'), ConfigError);
  }
}

TEST_CASE("parquet_sbbf: a flipped bit is refused in the header and is a cell behind it",
          "[foreign]") {
  const std::string bytes = test::parquet_sbbf_of(items(50), 3).serialize();
  const std::size_t header_size = bytes.size() - 96;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    CAPTURE(bit);
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    if (bit < 8 * header_size) {
      CHECK(test::contains_text(sbbf_error(flipped), "parquet_sbbf file must have "));
    } else {
      CHECK(ParquetSbbfFilter::parse(flipped).serialize() == flipped);
    }
  }
}

TEST_CASE("parquet_sbbf: the error for another header names the field", "[foreign]") {
  const auto error = [](const std::vector<std::string_view>& parts) {
    return sbbf_error(file_with(parts));
  };
  CHECK(error({kNumBytes, kMember, kMember, kMember, kStop}) == "nothing thrown");
  CHECK(sbbf_error("") ==
        "parquet_sbbf file must have a header that begins with field 1, an i32 (15), got nothing");
  CHECK(error({"\x14\x40", kMember, kMember, kMember, kStop}) ==
        "parquet_sbbf file must have a header that begins with field 1, an i32 (15), got 14");
  CHECK(error({kNumBytes, "\x2c\x1c\0\0"sv, kMember, kMember, kStop}) ==
        "parquet_sbbf file must have an algorithm of BLOCK (1c1c0000), got 2c1c0000");
  CHECK(error({kNumBytes, kMember, "\x1c\x2c\0\0"sv, kMember, kStop}) ==
        "parquet_sbbf file must have a hash of XXHASH (1c1c0000), got 1c2c0000");
  CHECK(error({kNumBytes, kMember, kMember, "\x1c\x1c\x15\0"sv, kStop}) ==
        "parquet_sbbf file must have a compression of UNCOMPRESSED (1c1c0000), got 1c1c1500");
  CHECK(error({kNumBytes, kMember, kMember, kMember, "\x15"sv, kStop}) ==
        "parquet_sbbf file must have a header that ends after field 4 (00), got 15");
}

TEST_CASE("parquet_sbbf: an impossible number of bytes is refused", "[foreign]") {
  const auto error = [](std::string_view varint) {
    return sbbf_error(file_with({"\x15", varint, kMember, kMember, kMember, kStop}));
  };
  const std::string refused =
      "parquet_sbbf file must have a numBytes that is a positive multiple of 32";
  CHECK(error("\0"sv) == refused + ", got 0");
  CHECK(error("\x3f") == refused + ", got -32");
  CHECK(error("\x3e") == refused + ", got 31");
  CHECK(error("\xff\xff\xff\xff\x0f") == refused + ", got -2147483648");
  // The header states 2 GiB less 32 bytes, but only 32 bytes are present. The reader must not
  // allocate the stated size.
  CHECK(error("\xc0\xff\xff\xff\x0f") ==
        "parquet_sbbf file must have a bit array of 2147483616 bytes, its numBytes, got 32");
  for (const std::string_view varint : {"\xc0\0"sv, "\xc0\x80\x80\0"sv, "\x80\x80\x80\x80\x10"sv,
                                        "\xff\xff\xff\xff\xff\x01"sv, "\xff\xff\xff\xff\x1f"sv}) {
    CHECK(test::contains_text(
        error(varint),
        "parquet_sbbf file must have a numBytes that is a varint of 32 bits, as short"));
  }
}

TEST_CASE("parquet_sbbf: false positives follow the expected rate", "[foreign]") {
  // The difference exceeds 5 standard deviations in one of 1.7e6 choices of keys.
  constexpr std::uint64_t kBlocks = 40;
  constexpr int kKeys = 900;
  constexpr int kFilters = 100;
  constexpr int kQueries = 5000;
  const Prediction prediction = predict_parquet_sbbf(kBlocks, kKeys);
  REQUIRE(prediction.expected);
  std::int64_t key = 0;
  int num_false_positives = 0;
  for (int f = 0; f < kFilters; ++f) {
    ParquetSbbfFilter filter(kBlocks);
    for (int i = 0; i < kKeys; ++i) filter.insert(key++);
    for (int i = 0; i < kQueries; ++i) num_false_positives += filter.contains(key++) ? 1 : 0;
  }
  const double rate = prediction.expected->rate;
  const double spread = kQueries * *prediction.rate_stddev;
  const double sd = std::sqrt(kFilters * (kQueries * rate * (1 - rate) + spread * spread));
  const double expected = kFilters * (kQueries * rate);
  CAPTURE(num_false_positives, expected, sd);
  CHECK(std::abs(num_false_positives - expected) < 5 * sd);
}

}  // namespace bloometry
