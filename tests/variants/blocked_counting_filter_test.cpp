#include "variants/blocked_counting/blocked_counting_filter.hpp"

#include <algorithm>
#include <vector>

#include "core/rates/binomial_mixture.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/counter_tails.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/contains_mask.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/scripted_probes.hpp"

namespace bloometry {
namespace {

using test::key_at;

/// A filter for which the test chooses the probes of a key. The word digest.hi selects the block.
using ScriptedBlockedCountingFilter = BasicBlockedCountingFilter<test::ScriptedProbes>;

/// The default scheme as another type, so that the filter uses the code with loops.
class LoopProbes : public BitFieldProbes {
  using BitFieldProbes::BitFieldProbes;
};

FilterSpec counting_blocks(std::uint64_t num_blocks, unsigned k) {
  return {.num_blocks = num_blocks, .num_hashes = k};
}

/// Returns counter f of the block.
unsigned counter(const ScriptedBlockedCountingFilter& filter, std::uint64_t f,
                 std::uint64_t block = 0) {
  return filter.counters().get(128 * block + f);
}

}  // namespace

TEST_CASE("blocked_counting: the counters of a key are in the line of its block",
          "[variants][blocked_counting]") {
  ScriptedBlockedCountingFilter filter(counting_blocks(2, 2));
  filter.insert(key_at({0b011'1011, 127}, std::uint64_t{1} << 63U));
  const auto words = filter.counters().words();
  REQUIRE(words.size() == 16);
  CHECK(words[8 + 3] == std::uint64_t{1} << (4 * 0b1011));
  CHECK(words[8 + 7] == std::uint64_t{1} << 60U);
  CHECK(filter.state().num_ones == 2);
  CHECK_FALSE(filter.contains(key_at({0b011'1011, 127}, 0)));
}

TEST_CASE("blocked_counting: a repeated position counts once in insert and erase",
          "[variants][blocked_counting]") {
  ScriptedBlockedCountingFilter filter(counting_blocks(1, 3));
  CHECK(filter.insert(key_at({5, 5, 9})));
  CHECK(counter(filter, 5) == 1);
  CHECK(counter(filter, 9) == 1);
  CHECK(filter.erase(key_at({9, 5, 5})));
  CHECK(filter == ScriptedBlockedCountingFilter(counting_blocks(1, 3)));
}

TEST_CASE("blocked_counting: erase of an absent key is refused and counted",
          "[variants][blocked_counting]") {
  ScriptedBlockedCountingFilter filter(counting_blocks(2, 2));
  filter.insert(key_at({1, 2}));
  const ScriptedBlockedCountingFilter before = filter;
  CHECK_FALSE(filter.erase(key_at({1, 3})));
  CHECK_FALSE(filter.erase(key_at({1, 2}, std::uint64_t{1} << 63U)));  // in the other block
  CHECK(filter == before);
  CHECK(filter.state().num_refused_erases == 2);
  CHECK(filter.erase(key_at({2, 1})));
  CHECK(filter.state().num_refused_erases == 2);
}

TEST_CASE("blocked_counting: counters are sticky at 15", "[variants][blocked_counting]") {
  // The neighbouring counters in the same word must not change.
  ScriptedBlockedCountingFilter filter(counting_blocks(1, 1));
  filter.insert(key_at({19}));
  filter.insert(key_at({21}));
  for (unsigned i = 1; i <= 20; ++i) {
    filter.insert(key_at({20}));
    CHECK(counter(filter, 20) == std::min(i, 15U));
  }
  CHECK(filter.state().num_saturated == 1);
  for (int i = 0; i < 20; ++i) CHECK(filter.erase(key_at({20})));
  CHECK(filter.contains(key_at({20})));
  CHECK(filter.state().num_skipped_decrements == 20);
  CHECK(counter(filter, 19) == 1);
  CHECK(counter(filter, 21) == 1);
  for (int i = 0; i < 13; ++i) filter.insert(key_at({19}));  // counter 19: 14, not saturated
  CHECK(filter.state().num_saturated == 1);
  for (unsigned value = 14; value > 0; --value) {
    CHECK(counter(filter, 19) == value);
    CHECK(filter.erase(key_at({19})));
  }
  CHECK_FALSE(filter.erase(key_at({19})));
  CHECK(counter(filter, 20) == 15);
}

TEST_CASE("blocked_counting: merge adds counters up to 15 and event counts",
          "[variants][blocked_counting]") {
  ScriptedBlockedCountingFilter a(counting_blocks(1, 1));
  ScriptedBlockedCountingFilter b(counting_blocks(1, 1));
  for (int i = 0; i < 9; ++i) a.insert(key_at({14}));
  for (int i = 0; i < 9; ++i) b.insert(key_at({14}));
  b.insert(key_at({15}));
  CHECK_FALSE(b.erase(key_at({1})));
  for (int i = 0; i < 16; ++i) b.insert(key_at({20}));
  CHECK(b.erase(key_at({20})));  // counter 20 stays at 15
  a.merge(b);
  CHECK(counter(a, 14) == 15);
  CHECK(counter(a, 15) == 1);
  CHECK(a.state().num_refused_erases == 1);
  CHECK(a.state().num_skipped_decrements == 1);
  a.clear();
  CHECK(a.state().num_refused_erases == 0);
  CHECK(a.state().num_skipped_decrements == 0);
  CHECK(a == ScriptedBlockedCountingFilter(counting_blocks(1, 1)));
}

TEST_CASE("blocked_counting: sizes are rounded up to whole lines of 128 counters",
          "[variants][blocked_counting]") {
  const auto num_counters = [](const FilterSpec& spec) {
    return BlockedCountingFilter::geometry(spec).num_cells;
  };
  CHECK(num_counters({.num_counters = 129, .num_hashes = 2}) == 256);
  CHECK(num_counters({.num_bits = 512, .num_hashes = 2}) == 128);
  CHECK(num_counters({.num_bits = 520, .num_hashes = 2}) == 256);
  CHECK(num_counters({.capacity = 100, .bits_per_key = 40.0, .num_hashes = 2}) == 1024);
  CHECK(num_counters(counting_blocks(3, 2)) == 384);
  CHECK_THROWS_AS(num_counters(counting_blocks(3, 17)), ConfigError);
  CHECK_THROWS_AS(BlockedCountingFilter(Geometry{100, 4, 2, 128}), ConfigError);
}

TEST_CASE("blocked_counting: the rate given the state is the mean over blocks",
          "[variants][blocked_counting]") {
  ScriptedBlockedCountingFilter filter(counting_blocks(2, 2));
  filter.insert(key_at({1, 2}));
  filter.insert(key_at({1, 3}));
  filter.insert(key_at({7, 7}, std::uint64_t{1} << 63U));
  CHECK(filter.state().num_ones == 4);
  CHECK(filter.state().conditional_false_positive_rate == (9.0 + 1.0) / (128.0 * 128.0) / 2);
}

TEST_CASE("blocked_counting: masks equal the answers of single calls in order",
          "[variants][blocked_counting]") {
  for (const std::uint64_t num_bits : {4096U, 16U << 20U}) {
    BlockedCountingFilter by_key({.num_bits = num_bits, .num_hashes = 4});
    BlockedCountingFilter by_mask = by_key;
    const auto keys = test::member_digests(64);
    const auto expected = [&](const auto& call) {
      std::uint64_t mask = 0;
      for (std::size_t i = 0; i < keys.size(); ++i) mask |= std::uint64_t{call(keys[i])} << i;
      return mask;
    };
    for (const Digest& key : keys) BatchAccess::prefetch(by_mask, key, Access::kUpdate);
    CHECK(BatchAccess::insert_mask(by_mask, keys) ==
          expected([&](const Digest& d) { return by_key.insert(d); }));
    const auto first = std::span(keys).first(20);
    CHECK(BatchAccess::erase_mask(by_mask, first) == (std::uint64_t{1} << 20U) - 1);
    for (const Digest& key : first) by_key.erase(key);
    CHECK(by_mask == by_key);
    for (const Digest& key : keys) BatchAccess::prefetch(by_mask, key, Access::kQuery);
    CHECK(test::contains_mask(by_mask, keys) ==
          expected([&](const Digest& d) { return by_key.contains(d); }));
    // One chunk contains a key twice. The second erase is refused if a counter of the key is not
    // shared with another key.
    CHECK(BatchAccess::erase_mask(by_mask, keys) ==
          expected([&](const Digest& d) { return by_key.erase(d); }));
    CHECK(by_mask == by_key);
  }
}

TEST_CASE("blocked_counting: vector code and loops give equal filters",
          "[variants][blocked_counting]") {
  for (unsigned k = 1; k <= kMaxBlockHashes; ++k) {
    BlockedCountingFilter vectors(counting_blocks(5, k));
    BasicBlockedCountingFilter<LoopProbes> loops(counting_blocks(5, k));
    bool agree = true;
    for (std::uint64_t round = 0; round < 12; ++round) {
      const auto keys = test::member_digests(64, round / 2);  // pairs of rounds use the same keys
      const auto others = test::member_digests(64, round / 3);
      agree = agree && test::contains_mask(vectors, keys) == test::contains_mask(loops, keys);
      agree =
          agree && BatchAccess::insert_mask(vectors, keys) == BatchAccess::insert_mask(loops, keys);
      agree = agree &&
              BatchAccess::erase_mask(vectors, others) == BatchAccess::erase_mask(loops, others);
      agree = agree && vectors.insert(keys[0]) == loops.insert(keys[0]);
      agree = agree && vectors.contains(others[1]) == loops.contains(others[1]);
      agree = agree && vectors.erase(others[1]) == loops.erase(others[1]);
    }
    const auto words = vectors.counters().words();
    CAPTURE(k);
    CHECK(agree);
    CHECK(std::equal(words.begin(), words.end(), loops.counters().words().begin()));
    CHECK(vectors.state().num_refused_erases == loops.state().num_refused_erases);
    CHECK(vectors.state().num_skipped_decrements == loops.state().num_skipped_decrements);
  }
}

TEST_CASE("blocked_counting: more than 16 probes in a block are refused",
          "[variants][blocked_counting]") {
  CHECK_NOTHROW(BlockedCountingFilter(Geometry{128, 4, 16, 128}));
  CHECK_THROWS_AS(BlockedCountingFilter(Geometry{128, 4, 17, 128}), ConfigError);
  CHECK_THROWS_AS(BlockedCountingFilter(Geometry{128, 4, 0, 128}), ConfigError);
}

TEST_CASE("blocked_counting: the tail of a counter is the mixture over the keys in a block",
          "[variants][blocked_counting]") {
  // The expected tail is the mixture over the number of keys in a block, written out. With one
  // block, the tail equals the tail of a filter without blocks.
  const Geometry geometry{50 * 128, 4, 6, 128};
  for (const std::uint64_t n : {100, 2000, 20'000}) {
    const auto in_block = [](std::uint64_t j) {
      return j < 15 ? 0.0 : theory::counter_tail_per_position(j, 128, 6, 15);
    };
    CHECK(theory::block_counter_tail(ProbeModel::kWithReplacement, n, geometry, 15) ==
          Approx(cell_mean_of(static_cast<double>(n), 50, in_block)).epsilon(1e-10));
    CHECK(theory::block_counter_tail(ProbeModel::kWithReplacement, n, {128, 4, 6, 128}, 15) ==
          Approx(theory::counter_tail_per_position(n, 128, 6, 15)).epsilon(1e-12));
  }
}

}  // namespace bloometry
