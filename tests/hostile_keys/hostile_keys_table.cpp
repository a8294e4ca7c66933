// `bloometry_hostile_key_tests "[.long]"` prints the numbers in section "Threat models" of
// core/hash/README.md. With `"[.time]"`, the program prints the numbers in section "Which one to
// use".

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/aes_hasher.hpp"
#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "tests/hostile_keys/attacks.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr KeyView kVictim = "victim@example.com";

template <class H>
void print_fillings(std::string_view who, const test::Sides<H>& sides) {
  for (const unsigned num_tried : {1U, 10U, 100U, 1000U}) {
    const test::Filling filling = test::fill(sides, 10'000, num_tried);
    std::cout << who << ", best of " << num_tried << ": half full after " << filling.half_fill
              << " n inserts, rate 1/2 after " << filling.half_rate << " n, rate at capacity "
              << filling.at_capacity.conditional_false_positive_rate
              << ", exceeds max_fill 0.55: " << *filling.at_capacity.exceeds_max_fill << std::endl;
  }
}

void print_hunt(std::string_view who, std::string_view what, const test::Hunt& hunt) {
  std::cout << who << ", " << what << ": " << (hunt.has_succeeded ? "succeeds" : "fails")
            << " after " << hunt.num_calls << " calls and " << hunt.num_hashes << " hashes\n";
}

template <class H>
void print_attacks(std::string_view who, const test::Sides<H>& sides) {
  print_fillings(who, sides);
  const FilterState blocked = test::fill_blocks(sides, 10'000);
  std::cout << who << ", blocked, block by block: " << blocked.num_ones << " ones, rate "
            << blocked.conditional_false_positive_rate
            << ", exceeds max_fill 0.55: " << *blocked.exceeds_max_fill << std::endl;
  print_hunt(who, "a victim added, n = 1e6", test::add_victim(sides, 1'000'000, kVictim));
  constexpr std::uint64_t kMaxErases = 1'000'000;
  std::vector<std::uint64_t> num_erases;
  for (int i = 0; i < 21; ++i) {
    const test::Hunt hunt = test::erase_victim(sides, 10'000, std::to_string(i), kMaxErases);
    num_erases.push_back(hunt.num_calls);
  }
  std::sort(num_erases.begin(), num_erases.end());
  std::cout << who << ", a victim erased, n = 1e4: median of 21 victims " << num_erases[10]
            << " calls, the first " << num_erases.front() << ", the last " << num_erases.back()
            << " of at most " << kMaxErases << std::endl;
  const test::QueryCounts counts = test::query(sides.filter, 1'000'000, 10'000'000);
  std::cout << who << ", by queries: a false positive every "
            << static_cast<double>(counts.num_queries) / static_cast<double>(counts.num_positive)
            << " queries, 1/rate " << 1 / counts.rate << std::endl;
}

template <class H, class Twins>
void print_twins(std::string_view who, const H& hasher, const Twins& twins) {
  std::cout << who << ": " << test::num_twins_contained(hasher, twins, 1'000'000)
            << " of 1000000 twins contained\n";
}

/// Returns the hashing time in ns per key for 1000 keys in the L1 cache. The result is the minimum
/// of 30 passes.
template <class H>
double ns_per_key(const H& hasher, const std::vector<std::string>& keys) {
  double least = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 30; ++pass) {
    std::uint64_t sum = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < 5; ++round) {
      for (const std::string& key : keys) {
        const Digest digest = hasher(key);
        sum += digest.lo ^ digest.hi;
      }
    }
    const std::chrono::duration<double, std::nano> elapsed =
        std::chrono::steady_clock::now() - start;
    CHECK(sum != 0);  // prevents the removal of the loop
    least = std::min(least, elapsed.count() / (5.0 * static_cast<double>(keys.size())));
  }
  return least;
}

}  // namespace

TEST_CASE("hostile keys: prints all attacks at full size", "[.long]") {
  print_attacks("xxh3, seed 0", test::Sides<Xxh3Hasher>{Xxh3Hasher(), Xxh3Hasher()});
  const SipHash128Hasher secret(SipHashKey::random());
  print_attacks("siphash_2_4_128, secret",
                test::Sides<SipHash128Hasher>{SipHash128Hasher(SipHashKey::of_seed(0)), secret});
  print_twins("xxh3, seed 0", Xxh3Hasher(), test::Xxh3Twins(0));
  print_twins("xxh3, seed 20261120", Xxh3Hasher(20261120), test::Xxh3Twins(20261120));
  print_twins("folded_multiply, seed 0", FoldedMultiplyHasher(), test::FoldedMultiplyTwins(0));
  print_twins("aes, seed 0", AesHasher(), test::AesTwins(0));
  print_twins("siphash_2_4_128, secret", secret, test::Xxh3Twins(0));
  print_twins("siphash_2_4, secret", SipHash24Hasher(SipHashKey::random()), test::Xxh3Twins(0));
}

TEST_CASE("hostile keys: prints the time per hash", "[.time]") {
  std::cout << std::fixed << std::setprecision(2);
  for (const std::size_t size : {8, 20, 64}) {
    std::vector<std::string> keys;
    for (int i = 0; i < 1000; ++i) {
      std::string key = std::to_string(100'000 + i);
      key.resize(size, 'x');
      keys.push_back(key);
    }
    // The six measurements are interleaved, so that other load on the machine affects all of them.
    std::array<double, 6> best;
    best.fill(std::numeric_limits<double>::infinity());
    const SipHashKey secret = SipHashKey::random();
    for (int round = 0; round < 20; ++round) {
      best[0] = std::min(best[0], ns_per_key(Xxh3Hasher(), keys));
      best[1] = std::min(best[1], ns_per_key(FoldedMultiplyHasher(), keys));
      best[2] = std::min(best[2], ns_per_key(SipHash24Hasher(secret), keys));
      best[3] = std::min(best[3], ns_per_key(SipHash128Hasher(secret), keys));
      best[4] = std::min(best[4], ns_per_key(AesHasher(), keys));
      best[5] = std::min(best[5], ns_per_key(SplitMix64Xxh3Hasher(), keys));
    }
    std::cout << size << " bytes, ns per key: xxh3 " << best[0] << ", folded_multiply " << best[1]
              << ", siphash_2_4 " << best[2] << ", siphash_2_4_128 " << best[3] << ", aes "
              << best[4] << ", splitmix64_xxh3 " << best[5] << std::endl;
  }
}

}  // namespace bloometry
