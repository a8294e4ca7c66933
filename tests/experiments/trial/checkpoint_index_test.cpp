#include "experiments/trial/checkpoint_index.hpp"

#include <numeric>
#include <vector>

#include "core/probe/all_probes.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("checkpoint_index: every layout fits its window and holds enough steps",
          "[experiments][trial]") {
  for (unsigned num_filters = 1; num_filters <= HashCounts::kMaxFilters; ++num_filters) {
    const unsigned max_steps = WordLayout::max_steps(num_filters);
    REQUIRE(max_steps >= 12);
    REQUIRE(max_steps <= 15);
    for (unsigned num_steps = 1; num_steps <= max_steps; ++num_steps) {
      const WordLayout layout(num_filters, num_steps);
      REQUIRE(layout.num_bytes <= 4);
      REQUIRE(layout.count_bits + num_filters + num_steps - 1 <= 8 * layout.num_bytes);
      REQUIRE((1U << layout.count_bits) > num_filters);
    }
  }
  REQUIRE(WordLayout(10, 10).num_bytes == 3);
}

TEST_CASE("checkpoint_index: words of any width do not change their neighbours",
          "[experiments][trial]") {
  // The filters have few positions and many keys, so that the neighbours of each word change. The
  // result is compared with one plain array of bits per k and checkpoint.
  test::TestNumbers numbers(3);
  for (const unsigned num_filters : {1U, 2U, 5U, 10U, 15U, 16U}) {
    const unsigned num_steps = WordLayout::max_steps(num_filters);
    const std::uint64_t num_positions = 97;
    std::vector<unsigned> ks(num_filters);
    std::iota(ks.begin(), ks.end(), 1U);
    const HashCounts hash_counts(ks);
    BufferPool pool;
    CheckpointIndex table(num_positions, hash_counts, WordLayout(num_filters, num_steps), pool);
    std::vector<std::vector<bool>> bits(num_filters + 1, std::vector<bool>(num_positions));
    for (unsigned step = 0; step < num_steps; ++step) {
      std::vector<Digest> digests(3);
      for (Digest& digest : digests) digest = {numbers.below(~0ULL), numbers.below(~0ULL)};
      table.insert<RemixProbes>(digests, step);
      for (const unsigned k : ks) {
        std::uint64_t num_ones = 0;
        for (const Digest& digest : digests) {
          RemixProbes probes(digest, num_positions);
          for (unsigned j = 0; j < k; ++j) bits[k][probes.next(num_positions)] = true;
        }
        for (const bool bit : bits[k]) num_ones += static_cast<std::uint64_t>(bit);
        REQUIRE(table.num_ones(hash_counts.index_of(k)) == num_ones);
      }
    }
  }
}

TEST_CASE("checkpoint_index: not_in_all returns the keys that some filter lacks at a step",
          "[experiments][trial]") {
  // Calls of count_found() with single keys give the expected results. The keys are members of
  // every step, and absent keys.
  test::TestNumbers numbers(4);
  const HashCounts hash_counts({1, 2, 5, 9, 16});
  const unsigned num_steps = 15;
  BufferPool pool;
  CheckpointIndex table(400, hash_counts, WordLayout(hash_counts.size(), num_steps), pool);
  std::vector<Digest> digests(200);
  for (Digest& digest : digests) digest = {numbers.below(~0ULL), numbers.below(~0ULL)};
  for (unsigned step = 0; step < num_steps; ++step) {
    table.insert<RemixProbes>(std::span(digests).subspan(4 * step, 4), step);
  }
  std::size_t num_missed = 0;
  for (unsigned step = 0; step < num_steps; ++step) {
    std::vector<Digest> expected;
    for (const Digest& digest : digests) {
      StepCounts found{};
      table.count_found<RemixProbes>({&digest, 1}, hash_counts.open(0), found);
      std::uint64_t num_holding = 0;
      for (unsigned filter = 0; filter < hash_counts.size(); ++filter) {
        for (unsigned s = 0; s <= step; ++s) num_holding += found[filter][s];
      }
      if (num_holding < hash_counts.size()) expected.push_back(digest);
    }
    REQUIRE(table.not_in_all<RemixProbes>(digests, step) == expected);
    num_missed += expected.size();
  }
  REQUIRE(num_missed > 0);
  REQUIRE(num_missed < digests.size() * num_steps);
}

}  // namespace bloometry
