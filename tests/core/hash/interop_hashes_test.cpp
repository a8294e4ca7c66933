// Compares our hashes with the hashes of other programs, for inputs at every alignment.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/murmur64a_hasher.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/study_hash/fnv1_hasher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"

namespace bloometry {
namespace {

/// Calls `check` with the key that the row names, at each of 8 consecutive addresses.
template <class Check>
void at_every_alignment(const nlohmann::json& row, Check check) {
  const std::string& key = test::interop_keys().at(row.at("key").get<std::string>());
  for (std::size_t offset = 0; offset < 8; ++offset) {
    const std::string room = std::string(offset, '#') + key + "#";
    CAPTURE(test::text_of(row), offset);
    check(std::string_view(room).substr(offset, key.size()));
  }
}

const nlohmann::json& hash_rows() {
  return test::interop_vectors().at("hashes").at("rows");
}

}  // namespace

TEST_CASE("murmur3_x64_128: both lanes equal Guava's, for every key", "[core][hash][golden]") {
  REQUIRE(hash_rows().size() == 23);
  for (const auto& row : hash_rows()) {
    const auto& lanes = row.at("murmur3_x64_128_seed0");
    const Digest expected{test::word_of_decimal(lanes.at("h1")),
                          test::word_of_decimal(lanes.at("h2"))};
    at_every_alignment(row, [&](KeyView key) { CHECK(murmur3_x64_128(key, 0) == expected); });
  }
}

TEST_CASE("murmur3_x64_128: the first lane under a seed equals that of twmb/murmur3",
          "[core][hash][golden]") {
  for (const auto& row : hash_rows()) {
    const auto& seeded = row.at("murmur3_x64_64_seed_i");
    REQUIRE(seeded.size() == 8);
    at_every_alignment(row, [&](KeyView key) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CHECK(murmur3_x64_128(key, seed).lo == test::word_of_decimal(seeded[seed]));
      }
    });
  }
}

TEST_CASE("murmur64a: equals the reference with seed 0, for every key", "[core][hash][golden]") {
  for (const auto& row : hash_rows()) {
    const std::uint64_t expected = test::word_of_decimal(row.at("murmur64a_seed_0"));
    at_every_alignment(row, [&](KeyView key) { CHECK(murmur64a(key, 0) == expected); });
  }
}

TEST_CASE("murmur64a_hasher: equals RedisBloom's pair of hashes under its seed",
          "[core][hash][golden]") {
  int num_checked = 0;
  for (const auto& filter : test::interop_vectors().at("redisbloom").at("filters")) {
    if (!filter.contains("hash_pairs")) continue;
    for (const auto& row : filter.at("hash_pairs")) {
      const Digest expected{test::word_of_decimal(row.at("a")), test::word_of_decimal(row.at("b"))};
      at_every_alignment(
          row, [&](KeyView key) { CHECK(Murmur64aHasher(kMurmur64aMultiplier)(key) == expected); });
      ++num_checked;
    }
  }
  CHECK(num_checked > 0);
}

TEST_CASE("murmur64a: gives pyreBloom's indices under its seeds", "[core][hash][golden]") {
  const auto& filter = test::interop_vectors().at("pyrebloom");
  const auto num_bits = filter.at("bits").get<std::uint64_t>();
  const auto& seeds = filter.at("seeds");
  REQUIRE(filter.at("rows").size() == 23);
  for (const auto& row : filter.at("rows")) {
    at_every_alignment(row, [&](KeyView key) {
      for (std::size_t i = 0; i < seeds.size(); ++i) {
        const std::uint64_t expected = row.at("indices")[i];
        CHECK(murmur64a(key, seeds[i].get<std::uint64_t>()) % num_bits == expected);
      }
    });
  }
}

TEST_CASE("xxh64: equals xxhsum with seed 0, for every key", "[core][hash][golden]") {
  for (const auto& row : hash_rows()) {
    const std::uint64_t expected = test::word_of_hex(row.at("xxh64_seed0_hex"));
    at_every_alignment(row, [&](KeyView key) { CHECK(xxh64(key, 0) == expected); });
  }
}

TEST_CASE("fnv1_64: the indices of a DCSO filter follow from it", "[core][hash][golden]") {
  // DCSO starts with h = FNV-1 modulo kPrime. For each of the k indices, DCSO computes h <- (h * g
  // modulo 2^64) modulo kPrime and uses h mod m.
  constexpr std::uint64_t kPrime = 18446744073709551557U;
  constexpr std::uint64_t kGenerator = 18446744073709550147U;
  const auto& filter = test::interop_vectors().at("dcso_bloom_v1");
  const auto num_bits = filter.at("m").get<std::uint64_t>();
  REQUIRE_FALSE(filter.at("rows").empty());
  for (const auto& row : filter.at("rows")) {
    CAPTURE(test::text_of(row));
    std::uint64_t hash = fnv1_64(row.at("key_ascii").get<std::string>()) % kPrime;
    for (const std::uint64_t expected : row.at("indices")) {
      hash = hash * kGenerator % kPrime;
      CHECK(hash % num_bits == expected);
    }
  }
}

}  // namespace bloometry
