#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/base64.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/variants/foreign/parquet_sbbf_of_keys.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

namespace bloometry {
namespace {

// tests/golden/interop_vectors.json, section parquet_sbbf.
const nlohmann::json& sbbf_vectors() {
  return test::interop_vectors().at("parquet_sbbf");
}

std::vector<std::string> sbbf_keys(const nlohmann::json& vector) {
  if (vector.contains("keys_ascii")) return vector.at("keys_ascii").get<std::vector<std::string>>();
  std::vector<std::string> keys;
  for (const auto& [name, bytes] : test::interop_keys()) keys.push_back(bytes);
  return keys;
}

std::string file_of(const nlohmann::json& vector) {
  if (vector.contains("serialized_base64")) {
    return test::bytes_of_base64(vector.at("serialized_base64").get<std::string>());
  }
  return test::bytes_of_hex(vector.at("header_hex")) + test::bytes_of_hex(vector.at("bitset_hex"));
}

/// Returns all bits that a value sets in a filter of one block.
BitArray<> bits_of(const ParquetValue& value) {
  ParquetSbbfFilter filter(1);
  filter.insert(value);
  return filter.bits();
}

}  // namespace

TEST_CASE("parquet_sbbf: every listed file is written byte for byte", "[foreign]") {
  const auto& vectors = sbbf_vectors().at("filters");
  REQUIRE(vectors.size() == 4);  // a published file, and files with z = 1, 3 and 32
  for (const auto& vector : vectors) {
    CAPTURE(vector.at("name").get<std::string>());
    const auto filter =
        test::parquet_sbbf_of(sbbf_keys(vector), vector.at("blocks").get<std::uint64_t>());
    CHECK(filter.serialize() == file_of(vector));
  }
}

TEST_CASE("parquet_sbbf: every listed file is read", "[foreign]") {
  for (const auto& vector : sbbf_vectors().at("filters")) {
    CAPTURE(vector.at("name").get<std::string>());
    const auto filter = ParquetSbbfFilter::parse(file_of(vector));
    CHECK(filter.num_blocks() == vector.at("blocks").get<std::uint64_t>());
    CHECK(filter.serialize() == file_of(vector));
    for (const std::string& key : sbbf_keys(vector)) CHECK(filter.contains(key));
    CHECK_FALSE(filter.contains("a value that is not in the file"));
  }
}

TEST_CASE("parquet_sbbf: block and bits of every key equal the vectors", "[foreign]") {
  REQUIRE(sbbf_vectors().at("rows").size() == 23);
  for (const auto& row : sbbf_vectors().at("rows")) {
    CAPTURE(test::text_of(row));
    const std::string& key = test::interop_keys().at(row.at("key").get<std::string>());
    BitArray<> expected(32 * 256);
    for (std::uint64_t word = 0; word < 8; ++word) {
      expected.set(256 * row.at("block_z32").get<std::uint64_t>() + 32 * word +
                   row.at("bit_per_word")[word].get<std::uint64_t>());
    }
    CHECK(test::parquet_sbbf_of({key}, 32).bits() == expected);
    CHECK(ParquetValue(key).digest().lo == test::word_of_hex(row.at("xxh64_hex")));
  }
}

TEST_CASE("parquet_sbbf: numbers are hashed as their little-endian bytes", "[foreign]") {
  CHECK(bits_of(std::int32_t{-2}) == bits_of(test::bytes_of_hex("feffffff")));
  CHECK(bits_of(std::int32_t{0x01020304}) == bits_of(test::bytes_of_hex("04030201")));
  CHECK(bits_of(std::int64_t{0x0102030405060708}) ==
        bits_of(test::bytes_of_hex("0807060504030201")));
  CHECK(bits_of(1.0F) == bits_of(test::bytes_of_hex("0000803f")));
  CHECK(bits_of(1.0) == bits_of(test::bytes_of_hex("000000000000f03f")));
  // A filter treats the two values of each pair as different keys.
  CHECK_FALSE(bits_of(5) == bits_of(std::int64_t{5}));
  CHECK_FALSE(bits_of(0.0) == bits_of(-0.0));
  CHECK_FALSE(bits_of("5") == bits_of(5));
}

TEST_CASE("parquet_sbbf: filters of numbers and text equal those of another writer", "[foreign]") {
  const auto file_with = [](auto value_of) {
    ParquetSbbfFilter filter(1);
    for (int i = 0; i < 8; ++i) filter.insert(value_of(i));
    return filter.serialize();
  };
  const std::string header = "15401c1c00001c1c00001c1c000000";
  CHECK(file_with([](int i) { return "item-" + std::to_string(i); }) ==
        test::bytes_of_hex(header +
                           "80452008c002023100a96a00032381800254008d0a0990101400222b8298004c"));
  CHECK(file_with([](int i) { return std::int32_t{i - 4}; }) ==
        test::bytes_of_hex(header +
                           "240106210004043c48508041071280208860008615205008000e500604784000"));
  CHECK(file_with([](int i) { return std::int64_t{i} * 1'000'000'007'000; }) ==
        test::bytes_of_hex(header +
                           "8002e840000421e400a3b002000c820b1084083034202112384204240262a202"));
  CHECK(file_with([](int i) { return i / 4.0; }) ==
        test::bytes_of_hex(header +
                           "2202100e024005a40824d080810c120319100260c00840740061c08a0070488c"));
  CHECK(file_with([](int i) { return static_cast<float>(i) / 4; }) ==
        test::bytes_of_hex(header +
                           "0520053080424228080071890a6228001038414059010430410c0c1080206048"));
}

}  // namespace bloometry
