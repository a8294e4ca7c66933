#include "variants/variable_increment/variable_increment_filter.hpp"

#include <initializer_list>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/scripted_probes.hpp"
#include "variants/counting/counting_filter.hpp"

namespace bloometry {
namespace {

using test::key_at;
using ScriptedVariableIncrementFilter = BasicVariableIncrementFilter<test::ScriptedProbes>;

constexpr unsigned kL = 4;

ScriptedVariableIncrementFilter filter_of(unsigned num_hashes, unsigned counter_bits = 6) {
  return ScriptedVariableIncrementFilter(Geometry{32, counter_bits, num_hashes}, kL);
}

/// Returns a key with the given positions and increments. Searches for a digest.hi that gives the
/// increments.
Digest key_with(std::initializer_list<std::uint64_t> positions,
                const std::vector<unsigned>& increments) {
  for (std::uint64_t hi = 0;; ++hi) {
    const Digest key = key_at(positions, hi);
    IncrementWords words(key);
    bool fits = true;
    for (const unsigned increment : increments) fits = fits && kL + words.next(kL) == increment;
    if (fits) return key;
  }
}

}  // namespace

// Each case tests one rule of theory 5.1.

TEST_CASE("variable_increment: insert adds the key's increment to each selected counter",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2);
  filter.insert(key_with({3, 9}, {4, 7}));
  CHECK(filter.counters().get(3) == 4);
  CHECK(filter.counters().get(9) == 7);
  filter.insert(key_with({9, 3}, {6, 5}));
  CHECK(filter.counters().get(3) == 9);
  CHECK(filter.counters().get(9) == 13);
}

TEST_CASE("variable_increment: a counter selected twice by one key gets both increments",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2);
  filter.insert(key_with({3, 3}, {4, 7}));
  CHECK(filter.counters().get(3) == 11);
}

TEST_CASE("variable_increment: a sum is limited to the cap and stays there",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(1, 4);  // cap 15
  const Digest seven = key_with({3}, {7});
  filter.insert(seven);
  filter.insert(seven);
  CHECK(filter.counters().get(3) == 14);
  CHECK(filter.state().num_saturated == 0);
  filter.insert(seven);
  CHECK(filter.counters().get(3) == 15);
  filter.insert(seven);
  CHECK(filter.counters().get(3) == 15);
  CHECK(filter.state().num_saturated == 1);
}

TEST_CASE("variable_increment: an increment passes if it can be part of the sum",
          "[variants][variable_increment]") {
  const ScriptedVariableIncrementFilter filter = filter_of(1);
  // The set contains all sums of increments up to the cap.
  std::set<unsigned> sums = {0};
  for (unsigned value = 1; value < 63; ++value) {
    for (unsigned v = kL; v < 2 * kL; ++v) {
      if (value >= v && sums.contains(value - v)) sums.insert(value);
    }
  }
  for (unsigned value = 0; value < 63; ++value) {
    unsigned num_passing = 0;
    for (unsigned v = kL; v < 2 * kL; ++v) {
      const bool can_be_part = value >= v && sums.contains(value - v);
      CAPTURE(value, v);
      CHECK(filter.passes(value, v) == can_be_part);
      num_passing += can_be_part ? 1 : 0;
    }
    CHECK(filter.num_passing_increments(value) == num_passing);
  }
}

TEST_CASE("variable_increment: a counter at the cap passes every increment",
          "[variants][variable_increment]") {
  const ScriptedVariableIncrementFilter narrow(Geometry{32, 4, 1}, 4);  // cap 15 > 3L - 1
  for (unsigned v = 4; v < 8; ++v) CHECK(narrow.passes(15, v));
  const BasicVariableIncrementFilter<> least(Geometry{32, 5, 1}, 8);  // cap 31, 3L - 1 = 23
  CHECK(least.num_passing_increments(31) == 8);
  CHECK(narrow.num_passing_increments(15) == 4);
}

TEST_CASE("variable_increment: a counter with one increment passes only that increment",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(1);
  filter.insert(key_with({5}, {6}));
  CHECK(filter.contains(key_with({5}, {6})));
  CHECK_FALSE(filter.contains(key_with({5}, {5})));
  CHECK_FALSE(filter.contains(key_with({5}, {7})));
  CHECK_FALSE(filter.contains(key_with({6}, {6})));
}

TEST_CASE("variable_increment: contains requires that every probe passes",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2);
  filter.insert(key_with({1, 2}, {4, 5}));
  CHECK(filter.contains(key_with({2, 1}, {5, 4})));
  CHECK_FALSE(filter.contains(key_with({2, 1}, {5, 5})));
  CHECK_FALSE(filter.contains(key_with({2, 1}, {4, 4})));
}

TEST_CASE("variable_increment: erase undoes insert, also for repeated positions",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(3);
  const Digest other = key_with({1, 2, 3}, {4, 5, 6});
  filter.insert(other);
  const ScriptedVariableIncrementFilter before = filter;
  const Digest doubled = key_with({3, 7, 3}, {7, 4, 5});
  filter.insert(doubled);
  CHECK(filter.erase(doubled));
  CHECK(filter == before);
}

TEST_CASE("variable_increment: erase is refused if a counter would not be a sum of increments",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2);
  filter.insert(key_with({1, 2}, {4, 5}));
  const ScriptedVariableIncrementFilter before = filter;
  CHECK_FALSE(filter.erase(key_with({1, 2}, {4, 7})));  // 5 - 7 is negative
  CHECK_FALSE(filter.erase(key_with({2, 1}, {4, 4})));  // 5 - 4 is in 1..L-1
  CHECK_FALSE(filter.erase(key_with({1, 9}, {4, 4})));  // 0 - 4 is negative
  CHECK(filter == before);
  CHECK(filter.state().num_refused_erases == 3);
}

TEST_CASE("variable_increment: erase tries both subtractions from a counter selected twice",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2);
  filter.insert(key_with({1, 2}, {4, 4}));
  filter.insert(key_with({1, 2}, {6, 4}));  // counter 1 is 10
  const ScriptedVariableIncrementFilter before = filter;
  // The first subtraction alone leaves a sum of increments (10 - 5 = 5). Both subtractions together
  // leave 10 - 5 - 4 = 1 or 10 - 5 - 7 < 0, which are not sums of increments.
  CHECK_FALSE(filter.erase(key_with({1, 1}, {5, 4})));
  CHECK_FALSE(filter.erase(key_with({1, 1}, {5, 7})));
  CHECK(filter == before);
  CHECK(filter.erase(key_with({1, 1}, {5, 5})));
  CHECK(filter.counters().get(1) == 0);
}

TEST_CASE("variable_increment: erase skips and counts counters at the cap",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2, 4);  // cap 15
  const Digest key = key_with({1, 2}, {7, 4});
  const Digest filler = key_with({1, 3}, {7, 4});
  filter.insert(key);
  filter.insert(filler);
  filter.insert(filler);  // counter 1 at the cap
  CHECK(filter.erase(key));
  CHECK(filter.counters().get(1) == 15);
  CHECK(filter.counters().get(2) == 0);
  CHECK(filter.state().num_skipped_decrements == 1);
  CHECK(filter.state().num_refused_erases == 0);
}

TEST_CASE("variable_increment: a counter at the cap does not refuse an erase",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2, 4);  // cap 15
  const Digest doubled = key_with({1, 1}, {7, 7});
  filter.insert(doubled);
  filter.insert(doubled);
  CHECK(filter.erase(doubled));  // 15 - 14 would be in 1..L-1, but 15 means "15 or more"
  CHECK(filter.counters().get(1) == 15);
  CHECK(filter.state().num_skipped_decrements == 2);
}

TEST_CASE("variable_increment: L must be a power of two that leaves room for two increments",
          "[variants][variable_increment]") {
  const auto make = [](double increment_base, double counter_bits) {
    return VariableIncrementFilter(
        {.num_counters = 10,
         .num_hashes = 2,
         .params = {{"increment_base", increment_base}, {"counter_bits", counter_bits}}});
  };
  CHECK(make(8, 5).increment_base() == 8);  // cap 31 >= 23
  CHECK_THROWS_WITH(make(8, 4), "counter_bits must be at least 5 with increment_base 8, got 4");
  CHECK_THROWS_WITH(make(6, 8), "increment_base must be a power of two, got 6");
  CHECK_THROWS_AS(make(0, 8), ConfigError);
  CHECK_THROWS_AS(make(16384, 15), ConfigError);
  CHECK_NOTHROW(make(16384, 16));
  CHECK_THROWS_AS(
      VariableIncrementFilter(
          {.num_counters = 10, .num_hashes = 2, .params = {{"form", std::string("bh")}}}),
      ConfigError);
}

TEST_CASE("variable_increment: no member is lost under churn and saturation",
          "[variants][variable_increment]") {
  VariableIncrementFilter filter(
      {.num_counters = 500, .num_hashes = 6, .params = {{"counter_bits", 5.0}}});
  const auto keys = test::member_digests(600);
  for (const Digest& key : keys) filter.insert(key);
  for (std::size_t i = 0; i < 300; ++i) CHECK(filter.erase(keys[i]));
  CHECK(filter.state().num_saturated.value() > 0);
  for (std::size_t i = 300; i < 600; ++i) CHECK(filter.contains(keys[i]));
}

TEST_CASE(
    "variable_increment: every positive is a positive of the counting filter with the same m and k",
    "[variants][variable_increment]") {
  const FilterSpec spec{.num_counters = 500, .num_hashes = 3};
  VariableIncrementFilter filter(spec);
  CountingFilter counting(spec);
  for (const Digest& key : test::member_digests(200)) {
    filter.insert(key);
    counting.insert(key);
  }
  std::uint64_t num_positives = 0;
  for (const Digest& key : test::nonmember_digests(20000)) {
    if (!filter.contains(key)) continue;
    ++num_positives;
    CHECK(counting.contains(key));
  }
  CHECK(num_positives > 0);
}

TEST_CASE("variable_increment: L = 1 equals the counting filter",
          "[variants][variable_increment]") {
  const VariableIncrementFilter filter(Geometry{10, 4, 2}, 1);
  CHECK_FALSE(filter.passes(0, 1));
  for (unsigned value = 1; value < 16; ++value) CHECK(filter.passes(value, 1));
}

TEST_CASE("variable_increment: the rate given the state counts passing pairs",
          "[variants][variable_increment]") {
  ScriptedVariableIncrementFilter filter = filter_of(2);
  filter.insert(key_with({1, 2}, {4, 5}));
  filter.insert(key_with({1, 3}, {6, 5}));  // counters 10, 5, 5 have 3 + 1 + 1 pairs
  const FilterState state = filter.state();
  CHECK(state.num_counters == 32);
  CHECK(state.num_ones == 3);
  CHECK(state.num_passing_pairs == 5);
  CHECK(state.conditional_false_positive_rate == (5.0 / 128) * (5.0 / 128));
}

TEST_CASE("variable_increment: the best k is near 1.1 m/n", "[variants][variable_increment]") {
  // Theory 5.5 lists the best k at 20, 30, 40, 50 and 64 bits per key for L = 8 and counters of 8
  // bits.
  const auto best_k = [](double counters_per_key) {
    return best_variable_increment_num_hashes(1, counters_per_key, 8);
  };
  CHECK(best_k(20.0 / 8) == 3);
  CHECK(best_k(30.0 / 8) == 4);
  CHECK(best_k(40.0 / 8) == 5);
  CHECK(best_k(50.0 / 8) == 7);
  CHECK(best_k(64.0 / 8) == 9);
  CHECK(variable_increment_sizing_rate(1, 5, 5, 8) == Approx(0.00172253).epsilon(1e-5));
}

}  // namespace bloometry
