#include "experiments/workload/zipf_ranks.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/hash/range_reduction.hpp"
#include "core/statistics/draws.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kLargestWord = std::numeric_limits<std::uint64_t>::max();

/// Returns the sums of the weights of the first ranks.
std::vector<std::uint64_t> sums_of_weights(double exponent, std::uint64_t num_ranks) {
  std::vector<std::uint64_t> sums;
  std::uint64_t sum = 0;
  for (std::uint64_t r = 1; r <= num_ranks; ++r) {
    sum += static_cast<std::uint64_t>(
        std::llround(0x1p32 * std::pow(static_cast<double>(r), -exponent)));
    sums.push_back(sum);
  }
  return sums;
}

/// Returns the index of the rank in whose part of the sum the word falls, by a search of all ranks.
std::uint64_t rank_by_search(const std::vector<std::uint64_t>& sums, std::uint64_t word) {
  const std::uint64_t draw = fastrange(word, sums.back());
  std::uint64_t rank = 0;
  while (sums[rank] <= draw) ++rank;
  return rank;
}

}  // namespace

TEST_CASE("zipf ranks: every word selects the rank of its weight", "[experiments][workload]") {
  for (const double exponent : {0.01, 0.5, 1.0, 1.2, 3.0, 10.0}) {
    for (const std::uint64_t num_ranks : {1U, 2U, 3U, 4U, 100U, 127U, 128U, 1000U}) {
      const ZipfRanks ranks(exponent, num_ranks);
      const std::vector<std::uint64_t> sums = sums_of_weights(exponent, num_ranks);
      CAPTURE(exponent, num_ranks);
      CHECK(ranks.rank(0) == 0);
      CHECK(ranks.rank(kLargestWord) == rank_by_search(sums, kLargestWord));
      Draws words(num_ranks);
      std::uint64_t num_wrong = 0;
      for (int i = 0; i < 2000; ++i) {
        const std::uint64_t word = words.next_word();
        num_wrong += ranks.rank(word) == rank_by_search(sums, word) ? 0U : 1U;
      }
      CHECK(num_wrong == 0);
    }
  }
}

TEST_CASE("zipf ranks: the last rank of a long law is drawn", "[experiments][workload]") {
  constexpr std::uint64_t kNumRanks = 3'000'000;
  CHECK(ZipfRanks(1.0, kNumRanks).rank(kLargestWord) == kNumRanks - 1);
}

}  // namespace bloometry
