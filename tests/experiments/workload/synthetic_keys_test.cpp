#include "experiments/workload/synthetic_keys.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/error.hpp"
#include "experiments/workload/key_hash.hpp"
#include "experiments/workload/key_patterns.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

template <class Keys>
std::string key_of(const Keys& keys, std::uint64_t item) {
  std::array<char, Keys::kMaxBytes> room{};
  const std::size_t size = keys.write(item, room);
  return {room.data(), size};
}

/// Returns the word whose mix64 is `word`.
std::uint64_t unmix64(std::uint64_t word) {
  const auto unshift = [](std::uint64_t x, unsigned shift) {
    std::uint64_t y = x;
    for (unsigned done = shift; done < 64; done += shift) y = x ^ (y >> shift);
    return y;
  };
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
    return x;
  };
  word = unshift(word, 31) * inverse(0x94d049bb133111ebULL);
  word = unshift(word, 27) * inverse(0xbf58476d1ce4e5b9ULL);
  return unshift(word, 30);
}

}  // namespace

TEST_CASE("item_number: members are even, queries odd, trials 2^48 apart",
          "[experiments][workload]") {
  REQUIRE(item_number(KeyRole::kMember, 0, 0) == 0);
  REQUIRE(item_number(KeyRole::kQuery, 0, 0) == 1);
  REQUIRE(item_number(KeyRole::kMember, 21, 3) == 42 + 3 * (std::uint64_t{1} << 48U));
  REQUIRE(item_number(KeyRole::kQuery, (std::uint64_t{1} << 47U) - 1, 0) <
          item_number(KeyRole::kMember, 0, 1));
}

TEST_CASE("synthetic keys: keys have the bytes of their distribution", "[experiments][workload]") {
  const std::uint64_t item = 0x0102030405060708ULL;
  REQUIRE(key_of(SequentialKeys{}, item) == "\x08\x07\x06\x05\x04\x03\x02\x01");
  REQUIRE(key_of(DecimalKeys{}, 0) == "0");
  REQUIRE(key_of(DecimalKeys{}, ~std::uint64_t{0}) == "18446744073709551615");
  REQUIRE(key_of(UrlKeys{}, 42) == "https://www.example.com/catalogue/item?id=42&lang=en");
  REQUIRE(key_of(UrlKeys{}, ~std::uint64_t{0}).size() == UrlKeys::kMaxBytes);
}

TEST_CASE("synthetic keys: members and queries of several trials share no key",
          "[experiments][workload]") {
  const auto require_disjoint = [](const auto& keys) {
    std::unordered_set<std::string> seen;
    for (std::uint64_t trial = 0; trial < 3; ++trial) {
      for (std::uint64_t i = 0; i < 5'000; ++i) {
        REQUIRE(seen.insert(key_of(keys, item_number(KeyRole::kMember, i, trial))).second);
        REQUIRE(seen.insert(key_of(keys, item_number(KeyRole::kQuery, i, trial))).second);
      }
    }
  };
  require_disjoint(SequentialKeys{});
  require_disjoint(DecimalKeys{});
  require_disjoint(UrlKeys{});
  require_disjoint(RandomKeys(99));
  for (const KeyPattern& pattern : kKeyPatterns) {
    CAPTURE(pattern.name);
    require_disjoint(PatternKeys(pattern));
  }
}

TEST_CASE("key patterns: keys in trial 0 follow their formulas", "[experiments][workload]") {
  const auto value = [](std::string_view name, std::uint64_t i) {
    return find_key_pattern(name)->value(i);
  };
  for (const std::uint64_t i : {0ULL, 1ULL, 1023ULL, 65537ULL, 0xfedcba98ULL}) {
    CAPTURE(i);
    CHECK(value("strided", i) == i * 65536);
    CHECK(value("high_half", i) == i * 0x100000000ULL);
    CHECK(value("thousands", i) == i * 1000);
    CHECK(value("top_16_bits", i) == i % 65536 * 0x1000000000000ULL + i / 65536);
    CHECK(value("top_10_bits", i) == i % 1024 * 0x40000000000000ULL + i / 1024);
    CHECK(value("both_halves", i) == i * 0x100000001ULL);
  }
  CHECK(kKeyPatterns.size() == 6);
  CHECK(find_key_pattern("random") == nullptr);
}

TEST_CASE("key patterns: no two trials share a key, whatever the items",
          "[experiments][workload]") {
  for (const KeyPattern& pattern : kKeyPatterns) {
    CAPTURE(pattern.name);
    std::unordered_set<std::uint64_t> values;
    for (std::uint64_t trial = 0; trial < 65'536; ++trial) {
      values.insert(pattern.value(trial * kItemsPerTrial + 7));
    }
    CHECK(values.size() == 65'536);
  }
}

TEST_CASE("random_keys: keys are a bijection of 64-bit words that depends on the seed",
          "[experiments][workload]") {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0} - 5}) {
    const RandomKeys keys(seed);
    std::uint64_t item = 0;
    for (int i = 0; i < 100'000; ++i) {
      // The function from items to keys has an inverse and is therefore a bijection.
      REQUIRE(unmix64(unmix64(keys.value(item)) - kRootTwoGamma) - seed == item);
      item = item * 3 + static_cast<std::uint64_t>(i);
    }
  }
  REQUIRE(RandomKeys(1).value(7) != RandomKeys(2).value(7));
}

TEST_CASE("key_hash: an unknown hash is an error that lists the known ones",
          "[experiments][workload]") {
  REQUIRE(find_key_hash("xxh3").name == "xxh3");
  REQUIRE_THROWS_AS(find_key_hash("md6"), ConfigError);
  REQUIRE_THROWS_WITH(find_key_hash("md6"),
                      "hash must be one of xxh3, folded_multiply, aes, splitmix64_xxh3, xxh64, "
                      "murmur3_128, murmur64a, "
                      "siphash_2_4, siphash_2_4_128, md5_split, "
                      "crc32, fnv1, bkdr, js, sdbm, got 'md6'");
}

}  // namespace bloometry
