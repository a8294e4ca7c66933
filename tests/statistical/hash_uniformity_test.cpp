// Tests that the words of the strong hash families are uniform over keys that differ little (theory
// 9.5). The chi-square test has two tails, because a result that is too even is not random. Tests
// each weak family with keys that show its weakness. The file contains 10 * 3 * 5 + 2 assertions
// with the false-alarm probability in false_alarm.hpp.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/statistics/binomial_test.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "core/study_hash/all_hashers.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/statistical/uniformity.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumKeys = 200'000;  // 195 keys in each of 1024 cells
constexpr unsigned kCellBits = 10;

/// Returns the digest of the integer's 8 bytes in little-endian order. The tests pass consecutive
/// integers.
Digest digest_of_integer(const auto& hasher, std::uint64_t item) {
  return hasher(IntegerKey(item).view());
}

std::string product_url(std::uint64_t item) {
  return "https://www.example.com/catalog/item-" + std::to_string(item) + ".html";
}

/// Returns the p-value of the counts of digests per cell. The function cell_of returns the cell of
/// a digest.
template <class CellOf>
double p_value_of_cells(const std::vector<Digest>& digests, CellOf cell_of) {
  std::vector<std::uint64_t> cells(std::uint64_t{1} << kCellBits, 0);
  for (const Digest& digest : digests) ++cells[cell_of(digest)];
  return test::two_sided_p_value(cells);
}

constexpr std::uint64_t top_bits(std::uint64_t word, unsigned count) noexcept {
  return word >> (64 - count);
}

constexpr std::uint64_t low_bits(std::uint64_t word) noexcept {
  return word & ((std::uint64_t{1} << kCellBits) - 1);
}

/// Returns a seed that is derived from the root seed as in sweeps. Small numbers are not suitable
/// as seeds of murmur3_128; the header of murmur3_128 contains the reason.
std::uint64_t hash_seed() {
  return SeedSequence(test::test_seed()).seed("hash", "uniformity", 0);
}

template <class H>
std::vector<Digest> digests_of_integers() {
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < kNumKeys; ++i) {
    digests.push_back(digest_of_integer(hasher_of_seed<H>(hash_seed()), i));
  }
  return digests;
}

/// Returns the digests of integers that differ only in their high 32 bits.
template <class H>
std::vector<Digest> digests_of_high_halves() {
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < kNumKeys; ++i) {
    digests.push_back(digest_of_integer(hasher_of_seed<H>(hash_seed()), i << 32U));
  }
  return digests;
}

template <class H>
std::vector<Digest> digests_of_urls() {
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < kNumKeys; ++i) {
    digests.push_back(hasher_of_seed<H>(hash_seed())(product_url(i)));
  }
  return digests;
}

void check_uniform(const std::vector<Digest>& digests) {
  const double limit = test::rejection_threshold();
  CHECK(p_value_of_cells(digests, [](Digest d) { return top_bits(d.lo, kCellBits); }) > limit);
  CHECK(p_value_of_cells(digests, [](Digest d) { return top_bits(d.hi, kCellBits); }) > limit);
  CHECK(p_value_of_cells(digests, [](Digest d) { return low_bits(d.lo); }) > limit);
  CHECK(p_value_of_cells(digests, [](Digest d) { return low_bits(d.hi); }) > limit);
  CHECK(p_value_of_cells(digests, [](Digest d) {
          return top_bits(d.lo, kCellBits / 2) << (kCellBits / 2) | top_bits(d.hi, kCellBits / 2);
        }) > limit);
}

/// Returns the number of distinct low words of the digests.
std::size_t num_distinct(const std::vector<Digest>& digests) {
  std::unordered_set<std::uint64_t> words;
  for (const Digest& digest : digests) words.insert(digest.lo);
  return words.size();
}

/// Returns how many queries have the same word lo as a member. The number of members equals the
/// number of queries. Each key consists of 16 random bytes.
template <class H>
std::uint64_t num_whole_collisions(std::uint64_t num_keys) {
  const auto word_of = [](std::uint64_t item) {
    const Digest bytes = Xxh3Hasher(test::test_seed())(IntegerKey(item).view());
    std::array<char, sizeof bytes> key;
    std::memcpy(key.data(), &bytes, sizeof bytes);
    return H()(std::string_view(key.data(), key.size())).lo;
  };
  std::vector<std::uint64_t> members;
  for (std::uint64_t i = 0; i < num_keys; ++i) members.push_back(word_of(2 * i));
  std::sort(members.begin(), members.end());
  std::uint64_t num_collisions = 0;
  for (std::uint64_t i = 0; i < num_keys; ++i) {
    num_collisions +=
        std::binary_search(members.begin(), members.end(), word_of(2 * i + 1)) ? 1U : 0U;
  }
  return num_collisions;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("hasher: words of strong families are uniform over similar keys",
                        "[statistical][hash]", StrongHashers) {
  CAPTURE(TestType::kName, test::test_seed());
  SECTION("neighbouring integers") {
    check_uniform(digests_of_integers<TestType>());
  }
  SECTION("neighbouring multiples of 2^32") {
    check_uniform(digests_of_high_halves<TestType>());
  }
  SECTION("product URLs") {
    check_uniform(digests_of_urls<TestType>());
  }
}

TEST_CASE("hasher: fnv1 does not mix the high bits of similar keys", "[statistical][hash][weak]") {
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < kNumKeys; ++i) {
    digests.push_back(Fnv1Hasher()("https://example.com/product/" + std::to_string(i)));
  }
  const auto top = [](Digest d) { return top_bits(d.lo, kCellBits); };
  CHECK(p_value_of_cells(digests, top) < 1e-100);
  // The last byte of a key affects only the low 8 bits of lo.
  const Fnv1Hasher hasher;
  CHECK(hasher("https://example.com/product/1001").lo >> 8U ==
        hasher("https://example.com/product/1002").lo >> 8U);
}

TEST_CASE("hasher: crc32 is linear", "[statistical][hash][weak]") {
  // The bitwise difference of two keys of equal size determines the bitwise difference of their
  // hashes.
  CHECK((crc32("abcdefgh") ^ crc32("abcdefgi")) == (crc32("12345678") ^ crc32("12345679")));
  // Therefore 10^6 consecutive integers have 10^6 different hashes. Among 10^6 random 32-bit
  // hashes, 116 would be repeated.
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    digests.push_back(digest_of_integer(Crc32Hasher(), i));
  }
  CHECK(num_distinct(digests) == digests.size());
}

TEMPLATE_TEST_CASE("hasher: the PHP hashes give most product URLs a repeated digest",
                   "[statistical][hash][weak]", BkdrHasher, JsHasher, SdbmHasher) {
  // Among 200,000 random 32-bit hashes, 5 would be repeated (theory 1.8).
  CAPTURE(TestType::kName);
  CHECK(num_distinct(digests_of_urls<TestType>()) < kNumKeys / 2);
}

TEST_CASE("hasher: crc32 collides as often as a random hash of 32 bits", "[statistical][hash]") {
  // By theory 1.8, a query collides with probability 1 - (1 - 2^-32)^n, which is 2.328e-4 at n =
  // 10^6. The CRC of random keys is uniform.
  constexpr std::uint64_t kMany = 1'000'000;
  constexpr double kFloor = 2.328035407e-4;
  const std::uint64_t num_collisions = num_whole_collisions<Crc32Hasher>(kMany);
  CAPTURE(num_collisions, test::test_seed());
  CHECK(statistics::binomial_two_sided_p_value(num_collisions, kMany, kFloor) >
        test::rejection_threshold());
  // With 64 bits, each of n queries collides with probability n / 2^64. The probability of at least
  // one collision is 9.3e-10.
  CHECK(num_whole_collisions<Xxh64Hasher>(std::uint64_t{1} << 17U) == 0);
}

}  // namespace bloometry
