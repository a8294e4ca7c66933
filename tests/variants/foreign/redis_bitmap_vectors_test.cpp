// Compares our filters with results of Redis, PHP, Java, Go and pyreBloom in
// tests/golden/interop_vectors.json, sections redis_bitmap, php_three_hashes,
// java_redis_double_hashing, go_seeded_murmur3 and pyrebloom.

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "core/hash/murmur64a_hasher.hpp"
#include "tests/support/base64.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/variants/foreign/vector_bytes.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_string.hpp"

namespace bloometry {
namespace {

const nlohmann::json& section(const char* name) {
  return test::interop_vectors().at(name);
}

std::string key_of(const nlohmann::json& row) {
  return test::interop_keys().at(row.at("key").get<std::string>());
}

std::string without_zeros_at_end(std::string string) {
  string.erase(string.find_last_not_of('\0') + 1);
  return string;
}

/// Checks the indices of every row and inserts the rows' keys into the filter. Returns the filter.
RedisBitmapFilter checked_and_filled(RedisBitmapFilter filter, const nlohmann::json& rows,
                                     const char* indices) {
  for (const auto& row : rows) {
    CAPTURE(test::text_of(row));
    CHECK(filter.indices(key_of(row)) == row.at(indices).get<std::vector<std::uint64_t>>());
    filter.insert(key_of(row));
  }
  for (const auto& row : rows) CHECK(filter.contains(key_of(row)));
  return filter;
}

}  // namespace

TEST_CASE("redis_bitmap: one set bit gives the string of SETBIT", "[foreign]") {
  int num_checked = 0;
  for (const auto& transcript : section("redis_bitmap").at("transcripts")) {
    const auto& commands = transcript.at("commands");
    std::istringstream command(commands[0].get<std::string>());
    std::string verb;
    std::string name;
    std::uint64_t offset = 0;
    if (!(command >> verb >> name >> offset) || verb != "SETBIT" || commands[1] != "GET " + name) {
      continue;
    }
    CAPTURE(test::text_of(transcript));
    BitArray<> bits(64);
    bits.set(offset);
    CHECK(without_zeros_at_end(redis_string(bits, 0, 64)) ==
          test::bytes_of_hex(transcript.at("replies")[1].at("hex")));
    ++num_checked;
  }
  CHECK(num_checked == 3);
}

TEST_CASE("redis_bitmap: the bits of a string equal the replies of GETBIT", "[foreign]") {
  BitArray<> bits(32);
  set_bits_of_redis_string(bits, 0, 32, "meow");
  // The commands are GETBIT cat 3, GETBIT cat 23, SETBIT cat 7 0 and SETBIT cat 14 1. SETBIT
  // replies with the old bit.
  CHECK_FALSE(bits.test(3));
  CHECK(bits.test(23));
  CHECK(bits.test(7));
  CHECK_FALSE(bits.test(14));
  bits.words()[0] ^= 1U << 7U | 1U << 14U;
  CHECK(redis_string(bits, 0, 32) == "lgow");
}

TEST_CASE("redis_bitmap php3: indices and bitmap equal PHP's", "[foreign]") {
  const auto& vector = section("php_three_hashes");
  REQUIRE(vector.at("rows").size() == 23);
  const auto filter =
      checked_and_filled(RedisBitmapFilter::for_kibibytes(1), vector.at("rows"), "indices_m8192");
  CHECK(filter.num_bits() == vector.at("m"));
  CHECK(filter.num_hashes() == vector.at("k"));
  const std::string expected = test::bytes_of_base64(vector.at("bitmap_base64").get<std::string>());
  CHECK(filter.serialize() == expected);
  CHECK(filter.bits().count() == vector.at("ones"));
  const std::string by_setbit = without_zeros_at_end(expected);
  CHECK(by_setbit.size() == vector.at("strlen_when_built_by_setbit"));
  CHECK(RedisBitmapFilter::parse(by_setbit, RedisScheme::kPhp3, {8192, 3}) == filter);
}

TEST_CASE("redis_bitmap php3: two product URLs are the same key", "[foreign]") {
  // The defect is part of the format. A reader without the defect would not find keys that PHP
  // stored.
  const auto filter = RedisBitmapFilter::for_kibibytes(100);
  const auto first = filter.indices(test::interop_keys().at("url_1001"));
  const auto second = filter.indices(test::interop_keys().at("url_1002"));
  CHECK(first[0] == second[0]);
  CHECK((second[1] - first[1] == 1 || first[1] - second[1] == 1));
  CHECK(first[2] == second[2]);
}

TEST_CASE("redis_bitmap jedis: sizes, indices and bitmap equal Java's", "[foreign]") {
  const auto& vector = section("java_redis_double_hashing");
  REQUIRE(vector.at("rows").size() == 22);
  const auto filter = checked_and_filled(
      RedisBitmapFilter::for_capacity(RedisScheme::kJedis, vector.at("n"), vector.at("p")),
      vector.at("rows"), "indices");
  CHECK(filter.num_bits() == vector.at("m"));
  CHECK(filter.num_hashes() == vector.at("k"));
  const std::string expected = test::bytes_of_base64(vector.at("bitmap_base64").get<std::string>());
  REQUIRE(expected.size() == vector.at("bitmap_length_bytes"));
  CHECK(filter.serialize() == expected);
  CHECK(filter.bits().count() == vector.at("ones"));
  CHECK(RedisBitmapFilter::parse(expected, RedisScheme::kJedis, {21895, 5}) == filter);
}

TEST_CASE("redis_bitmap go_seeded: sizes and indices equal Go's", "[foreign]") {
  const auto& vector = section("go_seeded_murmur3");
  REQUIRE(vector.at("rows").size() == 23);
  const auto filter = checked_and_filled(
      RedisBitmapFilter::for_capacity(RedisScheme::kGoSeeded, vector.at("n"), vector.at("p")),
      vector.at("rows"), "indices");
  CHECK(filter.num_bits() == vector.at("m"));
  CHECK(filter.num_hashes() == vector.at("k"));
}

TEST_CASE("redis_bitmap pyrebloom: sizes, indices, replies and string equal pyreBloom's",
          "[foreign]") {
  const auto& vector = section("pyrebloom");
  REQUIRE(vector.at("rows").size() == 23);
  auto filter = RedisBitmapFilter::for_capacity(RedisScheme::kPyrebloom, vector.at("capacity"),
                                                vector.at("error"));
  CHECK(filter.num_bits() == vector.at("bits"));
  CHECK(filter.num_hashes() == vector.at("hashes"));
  CHECK(filter.num_strings() == vector.at("redis_keys").size());
  for (const auto& row : vector.at("rows")) {
    CHECK(filter.insert(key_of(row)) == (row.at("newly_added") == 1));
  }
  CHECK(checked_and_filled(filter, vector.at("rows"), "indices") == filter);
  const std::string expected =
      test::bytes_of_base64(vector.at("string_value_base64").get<std::string>());
  CHECK(without_zeros_at_end(filter.serialize()) == without_zeros_at_end(expected));
  CHECK(RedisBitmapFilter::parse(expected, RedisScheme::kPyrebloom, {9585, 7}) == filter);
}

TEST_CASE("redis_bitmap pyrebloom: sizes of several strings and 14 seeds equal pyreBloom's",
          "[foreign]") {
  const auto& vector = section("pyrebloom");
  REQUIRE(vector.at("more_sizes").size() == 2);
  for (const auto& row : vector.at("more_sizes")) {
    CAPTURE(test::text_of(row));
    const RedisSizes sizes =
        redis_sizes_for(RedisScheme::kPyrebloom, row.at("capacity"), row.at("error"));
    CHECK(sizes == RedisSizes{test::word_of_decimal(row.at("bits")), row.at("hashes")});
    CHECK(num_redis_strings(RedisScheme::kPyrebloom, sizes.num_bits) == row.at("num_keys"));
    CHECK_NOTHROW(checked_redis_sizes(RedisScheme::kPyrebloom, sizes));
  }
  const RedisBitmapFilter filter(RedisScheme::kPyrebloom, {1000003, 14});
  REQUIRE(vector.at("seeds_first_14").size() == 14);
  for (std::size_t i = 0; i < 14; ++i) {
    const std::uint64_t seed = vector.at("seeds_first_14")[i];
    CHECK(filter.indices("hello")[i] == murmur64a("hello", seed) % 1000003);
  }
}

}  // namespace bloometry
