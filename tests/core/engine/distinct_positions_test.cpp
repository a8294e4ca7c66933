#include "core/engine/distinct_positions.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

/// Returns the distinct cells, computed with a plain search.
std::vector<std::uint64_t> first_of_each(const std::vector<std::uint64_t>& cells) {
  std::vector<std::uint64_t> firsts;
  for (const std::uint64_t cell : cells) {
    if (std::find(firsts.begin(), firsts.end(), cell) == firsts.end()) firsts.push_back(cell);
  }
  return firsts;
}

std::vector<std::uint64_t> distinct_of(const std::vector<std::uint64_t>& cells) {
  DistinctPositions key;
  auto next = cells.begin();
  key.fill(static_cast<unsigned>(cells.size()), [&] { return *next++; });
  key.drop_repeats();
  return {key.begin(), key.end()};
}

}  // namespace

TEST_CASE("distinct_positions: two equal positions are found at any two places", "[core][filter]") {
  for (unsigned k = 2; k <= kMaxNumHashes; ++k) {
    bool all = true;
    for (unsigned second = 1; second < k; ++second) {
      for (unsigned first = 0; first < second; ++first) {
        std::vector<std::uint64_t> cells(k);
        for (unsigned i = 0; i < k; ++i) cells[i] = 0x1'0000'0001ULL * i;
        cells[second] = cells[first];
        all = all && distinct_of(cells) == first_of_each(cells);
      }
    }
    CAPTURE(k);
    CHECK(all);
  }
}

TEST_CASE("distinct_positions: positions that agree only in their low bits are all kept",
          "[core][filter]") {
  const std::vector<std::uint64_t> cells = {5, 5 + (1ULL << 16U), 5 + (1ULL << 40U), 0xffff,
                                            0xfffe};
  CHECK(distinct_of(cells) == cells);
}

TEST_CASE(
    "distinct_positions: coincidences of random positions are found for every number of probes",
    "[core][filter]") {
  std::mt19937_64 random(test::test_seed());
  for (unsigned k = 1; k <= kMaxNumHashes; ++k) {
    CAPTURE(k, test::test_seed());
    bool all = true;
    for (int key = 0; key < 200; ++key) {
      // The ranges vary from one cell for all probes to so many cells that few probes coincide.
      const std::uint64_t range = std::uint64_t{1} << (random() % 12U);
      std::vector<std::uint64_t> cells(k);
      for (std::uint64_t& cell : cells) cell = (random() % range) * 0x1'0001ULL;
      all = all && distinct_of(cells) == first_of_each(cells);
    }
    CHECK(all);
  }
}

}  // namespace bloometry
