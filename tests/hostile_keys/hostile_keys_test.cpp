// Tests that attacks with chosen keys succeed if the hash is public. If the hash has a secret,
// chosen keys must have the same effect as random keys. Each of the 6 statistical checks has a
// false-alarm probability of 1e-7.

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "core/statistics/significance.hpp"
#include "core/theory/fill_moments.hpp"
#include "tests/hostile_keys/attacks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

constexpr double kFalseAlarm = 1e-7;
constexpr std::uint64_t kCapacity = 2000;
constexpr KeyView kVictim = "victim@example.com";

/// Returns the default hash as the attacker's and the filter's hash. The default seed is public.
test::Sides<Xxh3Hasher> known_to_all() {
  return {Xxh3Hasher(), Xxh3Hasher()};
}

/// Returns the filter's hash with a secret from a deterministic generator, and the attacker's hash
/// with a guessed secret.
template <class H>
test::Sides<H> with_secret() {
  const SeedSequence seeds(test::test_seed());
  return {H(SipHashKey::of_seed(0)),
          H({seeds.seed("hostile", "k0", 0), seeds.seed("hostile", "k1", 0)})};
}

/// Returns the difference between the number of set bits and its mean for random keys, in standard
/// deviations.
double deviation_at_capacity(const FilterState& state) {
  const theory::FillMoments law = theory::fill_moments(ProbeModel::kWithReplacement, kCapacity,
                                                       state.num_bits, test::kNumHashes);
  return (static_cast<double>(state.num_ones) - law.mean) / std::sqrt(law.variance);
}

}  // namespace

TEST_CASE("hostile keys: chosen inserts overfill a filter of the default hash within its capacity",
          "[hostile]") {
  const double z = statistics::two_sided_z(kFalseAlarm);
  const FilterState random = test::fill(known_to_all(), kCapacity, 1).at_capacity;
  CHECK(std::abs(deviation_at_capacity(random)) < z);
  CHECK(random.exceeds_max_fill == false);
  for (const unsigned num_tried : {10U, 100U}) {
    const FilterState chosen = test::fill(known_to_all(), kCapacity, num_tried).at_capacity;
    CHECK(deviation_at_capacity(chosen) > z);
    CHECK(chosen.exceeds_max_fill == true);
  }
}

TEMPLATE_TEST_CASE("hostile keys: under a secret, chosen inserts fill as random ones do",
                   "[hostile]", SipHash24Hasher, SipHash128Hasher) {
  const FilterState chosen = test::fill(with_secret<TestType>(), kCapacity, 10).at_capacity;
  CHECK(std::abs(deviation_at_capacity(chosen)) < statistics::two_sided_z(kFalseAlarm));
  CHECK(chosen.exceeds_max_fill == false);
}

TEST_CASE("hostile keys: blocks filled on purpose exceed max_fill at less than half fill",
          "[hostile]") {
  const FilterState known = test::fill_blocks(known_to_all(), kCapacity);
  CHECK(2 * known.num_ones < known.num_bits);
  CHECK(known.exceeds_max_fill == true);
  CHECK(test::fill_blocks(with_secret<SipHash128Hasher>(), kCapacity).exceeds_max_fill == false);
}

TEST_CASE("hostile keys: seven chosen inserts make one victim present, unless the hash is secret",
          "[hostile]") {
  constexpr std::uint64_t kLarge = 20'000;
  const test::Hunt known = test::add_victim(known_to_all(), kLarge, kVictim);
  CHECK(known.has_succeeded);
  CHECK(known.num_calls <= test::kNumHashes);
  // The probability that the attack succeeds by chance is 5e-26, because each of seven probes must
  // hit one of 49 set bits among 2e5 bits.
  CHECK_FALSE(test::add_victim(with_secret<SipHash128Hasher>(), kLarge, kVictim).has_succeeded);
  CHECK_FALSE(test::add_victim(with_secret<SipHash24Hasher>(), kLarge, kVictim).has_succeeded);
}

TEST_CASE("hostile keys: chosen erases remove one victim from a counting filter", "[hostile]") {
  const auto max_calls = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t kLarge = 20'000;
  const test::Hunt known = test::erase_victim(known_to_all(), kLarge, kVictim, max_calls);
  REQUIRE(known.has_succeeded);
  // Under nearly every secret, including the secret of the test, the filter still contains the
  // victim after the same number of erases.
  const test::Sides<SipHash128Hasher> secret{SipHash128Hasher({0, 0}), SipHash128Hasher({1, 2})};
  CHECK_FALSE(test::erase_victim(secret, kLarge, kVictim, known.num_calls).has_succeeded);
}

TEST_CASE("hostile keys: XXH3 under a known seed has 2^32 twins per key", "[hostile]") {
  constexpr std::uint32_t kNumTwins = 100'000;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{20261120}, ~std::uint64_t{0}}) {
    const test::Xxh3Twins twins(static_cast<std::uint32_t>(seed));
    CHECK(twins(1) != twins(2));
    CHECK(test::num_twins_contained(Xxh3Hasher(seed), twins, kNumTwins) == kNumTwins);
  }
  SECTION("the low half of the seed suffices") {
    const SeedSequence seeds(test::test_seed());
    const test::Xxh3Twins twins(7);
    for (std::uint64_t i = 0; i < 100; ++i) {
      const Xxh3Hasher hasher(seeds.seed("hostile", "high", i) << 32U | 7);
      REQUIRE(hasher(twins(1)) == hasher(twins(0xdeadbeef)));
    }
  }
  SECTION("another low half gives no twins") {
    CHECK(test::num_twins_contained(Xxh3Hasher(8), test::Xxh3Twins(7), 1000) == 0);
  }
}

TEST_CASE("hostile keys: folded_multiply under a known seed has 2^64 twins per key", "[hostile]") {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{20261120}}) {
    const test::FoldedMultiplyTwins twins(seed);
    CHECK(test::num_twins_contained(FoldedMultiplyHasher(seed), twins, 100'000) == 100'000);
    CHECK(test::num_twins_contained(FoldedMultiplyHasher(seed + 1), twins, 1000) == 0);
  }
}

TEST_CASE("hostile keys: aes under a known seed has 2^64 twins per key", "[hostile]") {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{20261120}}) {
    const test::AesTwins twins(seed);
    CHECK(twins(1) != twins(2));
    CHECK(test::num_twins_contained(AesHasher(seed), twins, 100'000) == 100'000);
    CHECK(test::num_twins_contained(AesHasher(seed + 1), twins, 1000) == 0);
  }
}

TEST_CASE("hostile keys: splitmix64_xxh3 under a known seed has an integer for every lo",
          "[hostile]") {
  const SplitMix64Xxh3Hasher hasher(20261120);
  for (std::uint64_t lo = 0; lo < 1000; ++lo) {
    const IntegerKey key(test::integer_of_lo(hasher, lo));
    REQUIRE(hasher(key.view()).lo == lo);
    REQUIRE_FALSE(SplitMix64Xxh3Hasher(20261121)(key.view()).lo == lo);
  }
}

TEMPLATE_TEST_CASE("hostile keys: twins of the fast hashes are not twins under a secret",
                   "[hostile]", SipHash24Hasher, SipHash128Hasher) {
  const TestType hasher = with_secret<TestType>().filter;
  CHECK(test::num_twins_contained(hasher, test::Xxh3Twins(0), 20'000) == 0);
  CHECK(test::num_twins_contained(hasher, test::FoldedMultiplyTwins(0), 20'000) == 0);
  CHECK(test::num_twins_contained(hasher, test::AesTwins(0), 20'000) == 0);
}

TEST_CASE(
    "hostile keys: blind queries find false positives at the expected rate, with or without a "
    "secret",
    "[hostile]") {
  const auto follows_rate = [](const test::QueryCounts& counts) {
    return statistics::binomial_two_sided_p_value(counts.num_positive, counts.num_queries,
                                                  counts.rate) > kFalseAlarm;
  };
  constexpr std::uint64_t kNumQueries = 200'000;
  CHECK(follows_rate(test::query(Xxh3Hasher(), kCapacity, kNumQueries)));
  CHECK(follows_rate(test::query(with_secret<SipHash24Hasher>().filter, kCapacity, kNumQueries)));
  CHECK(follows_rate(test::query(with_secret<SipHash128Hasher>().filter, kCapacity, kNumQueries)));
}

}  // namespace bloometry
