// Tests the PHP scheme of three hashes: PHP's numbers, the scheme's states, and its defects. For
// compatibility, the scheme must keep its defects, so the tests require these defects.

#include "core/study_hash/php_hashes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/hash/mix.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/store/bit_array.hpp"
#include "core/study_hash/php_hashers.hpp"
#include "core/study_hash/php_number.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumHashedKeys = 100'000;
constexpr std::uint64_t kNumBits = 819'200;  // 100 KiB

const std::string& key_of(const nlohmann::json& row) {
  return test::interop_keys().at(row.at("key").get<std::string>());
}

std::int64_t signed_of_decimal(const nlohmann::json& text) {
  return std::stoll(text.get<std::string>());
}

std::array<std::uint32_t, 3> three_hashes(KeyView key) {
  return {php_hash_of_state(php_bkdr_state(key)), php_hash_of_state(php_js_state(key)),
          php_hash_of_state(php_sdbm_state(key))};
}

std::string product_url(std::uint64_t item) {
  return "https://www.example.com/catalog/item-" + std::to_string(item) + ".html";
}

/// Returns a key of ten letters and digits. Different items have different keys.
std::string random_key(std::uint64_t item) {
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string key;
  for (std::uint64_t word = mix64(item + kGoldenGamma); key.size() < 10; word /= kLetters.size()) {
    key.push_back(kLetters[word % kLetters.size()]);
  }
  return key;
}

/// Returns the bits after the scheme has inserted the first kNumHashedKeys even items.
template <class KeyOf>
BitArray<> filled(KeyOf key_of_item) {
  BitArray<> bits(kNumBits);
  for (std::uint64_t i = 0; i < kNumHashedKeys; ++i) {
    for (const std::uint32_t hash : three_hashes(key_of_item(2 * i))) bits.set(hash % kNumBits);
  }
  return bits;
}

double fill_ratio(const BitArray<>& bits) {
  return static_cast<double>(bits.count()) / static_cast<double>(kNumBits);
}

}  // namespace

TEST_CASE("php_number: integers become doubles where they leave 64 bits", "[core][hash][golden]") {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  CHECK((PhpNumber(kMax) + 0).to_integer() == kMax);
  CHECK((PhpNumber(kMax) + 1).to_integer() == kMin);  // 2^63 as a double, modulo 2^64
  // The sum remains a double: 2^63 - 1000 rounds to a multiple of 1024.
  CHECK((PhpNumber(kMax) + 1 - 1000).to_integer() == kMax - 1023);
  CHECK((PhpNumber(kMin) - 1).to_integer() == kMin);         // rounds to -2^63
  CHECK((PhpNumber(kMax) * 3).to_integer() == -kMax - 1);    // 3 * 2^63 modulo 2^64
  CHECK((PhpNumber(kMax) * 2 - kMax).to_integer() == kMin);  // 2^64 - 2^63
}

TEST_CASE("php_number: int(x) truncates, then reduces modulo 2^64", "[core][hash][golden]") {
  const auto to_integer = [](double value) { return PhpNumber::of_double(value).to_integer(); };
  CHECK(to_integer(1.5e19) == -3446744073709551616);
  CHECK(to_integer(9.3e18) == -9146744073709551616);
  CHECK(to_integer(-9.3e18) == 9146744073709551616);
  CHECK(to_integer(1.2e21) == 961635208879144960);
  CHECK(to_integer(-1.9) == -1);
  CHECK(to_integer(1e300) == 0);  // a multiple of 2^64
  CHECK(to_integer(std::numeric_limits<double>::infinity()) == 0);
  CHECK(to_integer(std::numeric_limits<double>::quiet_NaN()) == 0);
}

TEST_CASE("php_hash_of_state: the remainder has the sign of the state", "[core][hash][golden]") {
  CHECK(php_hash_of_state(-7) == 4294967289U);
  CHECK(php_hash_of_state(4294967295) == 0);
  CHECK(php_hash_of_state(-4294967295) == 0);  // an unsigned mod would give 1
  CHECK(php_hash_of_state(-1) == 4294967295U);
  CHECK(php_hash_of_state(4294967296) == 1);
}

TEST_CASE("php_hashes: states and results equal those of PHP, for every key",
          "[core][hash][golden]") {
  const auto& section = test::interop_vectors().at("php_three_hashes");
  REQUIRE(section.at("rows").size() == 23);
  for (const auto& row : section.at("rows")) {
    for (std::size_t offset = 0; offset < 8; ++offset) {
      const std::string room = std::string(offset, '#') + key_of(row) + "#";
      const std::string_view key = std::string_view(room).substr(offset, key_of(row).size());
      CAPTURE(test::text_of(row), offset);
      CHECK(php_bkdr_state(key) == signed_of_decimal(row.at("bkdr_state")));
      CHECK(php_js_state(key) == signed_of_decimal(row.at("js_state")));
      CHECK(php_sdbm_state(key) == signed_of_decimal(row.at("sdbm_state")));
      CHECK(three_hashes(key) ==
            std::array<std::uint32_t, 3>{row.at("bkdr"), row.at("js"), row.at("sdbm")});
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(three_hashes(key)[i] % 8192 == row.at("indices_m8192")[i]);
      }
    }
  }
}

TEST_CASE("php_hashes: two product URLs that differ in the last digit collide",
          "[core][hash][golden]") {
  const auto first = three_hashes(test::interop_keys().at("url_1001"));
  const auto second = three_hashes(test::interop_keys().at("url_1002"));
  CHECK(first[0] == second[0]);
  CHECK((second[1] - first[1] == 1U || first[1] - second[1] == 1U));
  CHECK(first[2] == second[2]);
  CHECK(BkdrHasher()(test::interop_keys().at("url_1001")) ==
        BkdrHasher()(test::interop_keys().at("url_1002")));
}

TEST_CASE("php_hashes: BKDR and SDBM ignore leading NUL bytes", "[core][hash]") {
  using namespace std::string_view_literals;
  CHECK(php_bkdr_state("\0\0a"sv) == php_bkdr_state("a"));
  CHECK(php_sdbm_state("\0\0a"sv) == php_sdbm_state("a"));
}

TEST_CASE("php_hashes: product URLs fill 1.2 % of the bits of which random keys fill 31 %",
          "[core][hash][weak]") {
  // PHP itself gives the fill ratios 0.0123 and 0.3067 for the same n, m and kinds of keys. The
  // URL's host and path determine the fill (0.003 to 0.13 over 350 pairs). The host and path of
  // product_url reproduce the measured fill to its last digit. Random keys fill 1 - (1 - 1/m)^(3n)
  // = 0.30665 with a standard deviation of 2.1e-4 (theory 1.5). Two fills of random keys differ by
  // 0.0015 or more with a probability of 1e-6.
  CHECK(fill_ratio(filled(product_url)) == Approx(0.0123).margin(0.00005));
  CHECK(fill_ratio(filled(random_key)) == Approx(0.3067).margin(0.0015));
}

TEST_CASE("php_hashes: absent product URLs test positive far too often", "[core][hash][weak]") {
  // If the three indices were independent, fill^3 = 2e-6 would give 0.2 false positives in 10^5
  // queries.
  const BitArray<> bits = filled(product_url);
  std::uint64_t num_false_positives = 0;
  for (std::uint64_t i = 0; i < kNumHashedKeys; ++i) {
    const auto hashes = three_hashes(product_url(2 * i + 1));
    num_false_positives += std::all_of(hashes.begin(), hashes.end(), [&](std::uint32_t hash) {
      return bits.test(hash % kNumBits);
    });
  }
  CAPTURE(num_false_positives);
  CHECK(statistics::binomial_two_sided_p_value(num_false_positives, kNumHashedKeys,
                                               std::pow(fill_ratio(bits), 3)) < 1e-100);
}

}  // namespace bloometry
