#include "variants/counting/counting_filter.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/scripted_probes.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

using test::key_at;
using ScriptedCountingFilter = BasicCountingFilter<test::ScriptedProbes>;

FilterSpec spec_of(unsigned num_hashes, Params params = {}) {
  return {.num_counters = 32, .num_hashes = num_hashes, .params = std::move(params)};
}

const Params kClamped = {{"saturation", std::string("clamped")}};

/// A counting filter by the definition in theory 3.1, with one number per counter and a set of
/// positions per key.
class PlainCountingFilter {
 public:
  PlainCountingFilter(unsigned num_hashes, unsigned max, bool is_sticky)
      : num_hashes_(num_hashes), max_(max), is_sticky_(is_sticky), counters_(256) {}

  bool insert(const Digest& digest) {
    bool some_was_zero = false;
    for (const std::uint64_t i : positions(digest)) {
      some_was_zero = some_was_zero || counters_[i] == 0;
      counters_[i] = std::min(counters_[i] + 1, max_);
    }
    return some_was_zero;
  }

  bool erase(const Digest& digest) {
    const std::set<std::uint64_t> all = positions(digest);
    if (std::any_of(all.begin(), all.end(), [&](auto i) { return counters_[i] == 0; })) {
      ++num_refused_;
      return false;
    }
    for (const std::uint64_t i : all) {
      const bool stays = is_sticky_ && counters_[i] == max_;
      (stays ? num_skipped_ : counters_[i]) += stays ? 1U : ~0U;
    }
    return true;
  }

  bool agrees_with(const ScriptedCountingFilter& filter) const {
    const FilterState state = filter.state();
    bool agrees =
        state.num_refused_erases == num_refused_ && state.num_skipped_decrements == num_skipped_;
    for (std::uint64_t i = 0; i < counters_.size(); ++i) {
      agrees = agrees && filter.counters().get(i) == counters_[i];
    }
    const auto unused = filter.counters().all_words().subspan(filter.counters().counter_bits() *
                                                              counters_.size() / 64);
    agrees = agrees && std::ranges::all_of(unused, [](std::uint64_t word) { return word == 0; });
    return agrees;
  }

 private:
  std::set<std::uint64_t> positions(const Digest& digest) const {
    constexpr std::uint64_t kRange = 256;
    std::set<std::uint64_t> all;
    test::ScriptedProbes probes(digest, kRange);
    for (unsigned i = 0; i < num_hashes_; ++i) all.insert(probes.next(kRange));
    return all;
  }

  unsigned num_hashes_;
  unsigned max_;
  bool is_sticky_;
  std::vector<unsigned> counters_;
  unsigned num_refused_ = 0;
  unsigned num_skipped_ = 0;
};

/// Inserts and erases keys alternately, in chunks of 0 to 64 keys and singly. The keys have few
/// positions, so that probes coincide, counters saturate and erases are refused.
void check_against_plain(std::uint64_t num_counters, unsigned counter_bits, bool is_sticky,
                         unsigned num_hashes) {
  Params params = {{"counter_bits", static_cast<double>(counter_bits)}};
  if (!is_sticky) params.insert(*kClamped.begin());
  ScriptedCountingFilter filter(
      {.num_counters = num_counters, .num_hashes = num_hashes, .params = params});
  PlainCountingFilter plain(num_hashes, (1U << counter_bits) - 1, is_sticky);
  std::mt19937_64 random(test::test_seed());
  bool agree = true;
  for (std::size_t size = 0; size <= 64; ++size) {
    std::vector<Digest> keys(size);
    for (Digest& key : keys) key.lo = random() & 0x3f3f3f3f3f3f3f3fULL;
    const auto expected = [&](const auto& call) {
      std::uint64_t mask = 0;
      for (std::size_t i = 0; i < size; ++i) mask |= std::uint64_t{call(keys[i])} << i;
      return mask;
    };
    const auto insert = [&](const Digest& key) { return plain.insert(key); };
    const auto erase = [&](const Digest& key) { return plain.erase(key); };
    agree = agree && BatchAccess::insert_mask(filter, keys) == expected(insert);
    std::rotate(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(size / 3), keys.end());
    if (size > 0) keys[0].lo ^= 1;
    agree = agree && BatchAccess::erase_mask(filter, keys) == expected(erase);
    if (size > 0) agree = agree && filter.insert(keys.back()) == plain.insert(keys.back());
    if (size > 1) agree = agree && filter.erase(keys[1]) == plain.erase(keys[1]);
  }
  CHECK(agree);
  CHECK(plain.agrees_with(filter));
}

}  // namespace

// Each case tests one rule of theory 3.1.

TEST_CASE("counting: insert adds one to each distinct position, and repeated positions count once",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(3));
  filter.insert(key_at({3, 3, 5}));
  CHECK(filter.counters().get(3) == 1);
  CHECK(filter.counters().get(5) == 1);
  filter.insert(key_at({5, 3, 5}));
  CHECK(filter.counters().get(3) == 2);
  CHECK(filter.counters().get(5) == 2);
}

TEST_CASE("counting: repeated positions count once in a batch", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(3));
  const Digest chunk[] = {key_at({3, 3, 5}), key_at({5, 6, 7}), key_at({7, 6, 7}),
                          key_at({9, 9, 9})};
  CHECK(BatchAccess::insert_mask(filter, chunk) == 0b1011);
  const unsigned inserted[] = {0, 0, 0, 1, 0, 2, 2, 2, 0, 1};
  for (std::uint64_t i = 0; i < 10; ++i) CHECK(filter.counters().get(i) == inserted[i]);
  CHECK(BatchAccess::erase_mask(filter, std::span(chunk).subspan(1)) == 0b111);
  const unsigned erased[] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0};
  for (std::uint64_t i = 0; i < 10; ++i) CHECK(filter.counters().get(i) == erased[i]);
}

TEST_CASE("counting: single calls and chunks give the counters of a plain array",
          "[variants][counting]") {
  // Only the larger filter prefetches cache lines.
  for (const std::uint64_t num_counters : {std::uint64_t{256}, std::uint64_t{1} << 22U}) {
    for (const unsigned counter_bits : {1U, 3U, 4U, 5U}) {
      for (const bool is_sticky : {true, false}) {
        for (const unsigned k : {1U, 2U, 7U, 8U}) {
          if (num_counters > 256 && counter_bits == 1) continue;  // does not prefetch
          CAPTURE(num_counters, counter_bits, is_sticky, k, test::test_seed());
          check_against_plain(num_counters, counter_bits, is_sticky, k);
        }
      }
    }
  }
}

TEST_CASE("counting: insert adds up to the maximum, where the counter stays",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(1));
  for (unsigned i = 1; i <= 20; ++i) {
    filter.insert(key_at({7}));
    CHECK(filter.counters().get(7) == std::min(i, 15U));
  }
  CHECK(filter.state().num_saturated == 1);
}

TEST_CASE("counting: contains requires that every selected counter is above 0",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(3));
  filter.insert(key_at({1, 2, 3}));
  CHECK(filter.contains(key_at({3, 2, 1})));
  CHECK_FALSE(filter.contains(key_at({0, 2, 1})));
  CHECK_FALSE(filter.contains(key_at({3, 0, 1})));
  CHECK_FALSE(filter.contains(key_at({3, 2, 0})));
}

TEST_CASE("counting: insert is true iff some selected counter was 0", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(2));
  CHECK(filter.insert(key_at({1, 2})));
  CHECK(filter.insert(key_at({2, 3})));
  CHECK(filter.insert(key_at({4, 1})));
  CHECK_FALSE(filter.insert(key_at({1, 3})));
}

TEST_CASE("counting: erase subtracts one from each distinct position", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(3));
  filter.insert(key_at({1, 2, 2}));
  filter.insert(key_at({2, 3, 4}));
  CHECK(filter.erase(key_at({1, 2, 2})));
  CHECK(filter.counters().get(1) == 0);
  CHECK(filter.counters().get(2) == 1);
  CHECK(filter.contains(key_at({2, 3, 4})));
}

TEST_CASE("counting: erase of a key with a counter at 0 is refused and changes nothing",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(3));
  filter.insert(key_at({1, 2, 3}));
  const ScriptedCountingFilter before = filter;
  CHECK_FALSE(filter.erase(key_at({1, 2, 9})));  // counter 9, a zero, is read last
  CHECK_FALSE(filter.erase(key_at({9, 2, 1})));
  CHECK(filter == before);
  CHECK(filter.state().num_refused_erases == 2);
}

TEST_CASE("counting: erase of a repeated position with counter 1 does not underflow",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(2));
  filter.insert(key_at({6, 7}));
  CHECK(filter.erase(key_at({6, 6})));  // tests positive, but was never inserted
  CHECK(filter.counters().get(6) == 0);
  CHECK(filter.counters().get(7) == 1);
}

TEST_CASE("counting: a key inserted twice is absent after two erases", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(2));
  filter.insert(key_at({1, 2}));
  filter.insert(key_at({1, 2}));
  CHECK(filter.erase(key_at({1, 2})));
  CHECK(filter.contains(key_at({1, 2})));
  CHECK(filter.erase(key_at({1, 2})));
  CHECK_FALSE(filter.contains(key_at({1, 2})));
  CHECK_FALSE(filter.erase(key_at({1, 2})));
}

TEST_CASE("counting: a counter at the maximum stays there, and the skipped decrement is counted",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(2));
  for (int i = 0; i < 15; ++i) filter.insert(key_at({1, static_cast<std::uint64_t>(2 + i)}));
  CHECK(filter.erase(key_at({1, 2})));  // accepted, although counter 1 stays at 15
  CHECK(filter.counters().get(1) == 15);
  CHECK(filter.counters().get(2) == 0);
  CHECK(filter.state().num_skipped_decrements == 1);
  CHECK(filter.state().num_refused_erases == 0);
}

TEST_CASE("counting: a counter just below the maximum is decremented", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(1));
  for (int i = 0; i < 14; ++i) filter.insert(key_at({1}));
  CHECK(filter.erase(key_at({1})));
  CHECK(filter.counters().get(1) == 13);
  CHECK(filter.state().num_skipped_decrements == 0);
}

TEST_CASE(
    "counting: after 20 inserts and 15 erases sticky counters find the key, clamped ones do not",
    "[variants][counting]") {
  ScriptedCountingFilter sticky(spec_of(2));
  ScriptedCountingFilter clamped(spec_of(2, kClamped));
  for (int i = 0; i < 20; ++i) {
    sticky.insert(key_at({1, 2}));
    clamped.insert(key_at({1, 2}));
  }
  for (int i = 0; i < 15; ++i) {
    CHECK(sticky.erase(key_at({1, 2})));
    CHECK(clamped.erase(key_at({1, 2})));
  }
  CHECK(sticky.contains(key_at({1, 2})));
  CHECK_FALSE(clamped.contains(key_at({1, 2})));
  CHECK(sticky.state().num_skipped_decrements == 30);
  CHECK(clamped.state().num_skipped_decrements == 0);
}

TEST_CASE("counting: sticky counters never lose a member at any load and churn",
          "[variants][counting]") {
  for (const unsigned counter_bits : {1U, 2U, 4U}) {
    CAPTURE(counter_bits);
    CountingFilter filter({.num_counters = 500,
                           .num_hashes = 8,
                           .params = {{"counter_bits", static_cast<double>(counter_bits)}}});
    const auto keys = test::member_digests(600);
    for (const Digest& key : keys) filter.insert(key);
    for (std::size_t i = 0; i < 300; ++i) CHECK(filter.erase(keys[i]));
    CHECK(filter.state().num_saturated.value() > 0);
    for (std::size_t i = 300; i < 600; ++i) CHECK(filter.contains(keys[i]));
  }
}

TEST_CASE("counting: the width and the saturation are parameters", "[variants][counting]") {
  const FilterSpec spec{.num_counters = 10, .num_hashes = 2, .params = {{"counter_bits", 16.0}}};
  CHECK(CountingFilter(spec).num_bits() == 160);
  CHECK(CountingFilter(spec).counters().max_value() == 65535);
  CHECK(CountingFilter({.num_bits = 40, .num_hashes = 2}).counters().size() == 10);
  CHECK_THROWS_WITH(CountingFilter(spec_of(2, {{"counter_bits", 17.0}})),
                    "counter_bits must be a whole number in [1, 16], got 17");
  CHECK_THROWS_WITH(CountingFilter(spec_of(2, {{"saturation", std::string("wrap")}})),
                    "saturation must be sticky or clamped, got wrap");
  CHECK_THROWS_AS(CountingFilter(spec_of(2, {{"colour", 1.0}})), ConfigError);
}

TEST_CASE("counting: the rate given the state counts non-zero counters", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(3));
  filter.insert(key_at({0, 1, 2}));
  filter.insert(key_at({0, 1, 3}));
  const FilterState state = filter.state();
  CHECK(state.num_counters == 32);
  CHECK(state.num_bits == 128);
  CHECK(state.num_ones == 4);
  CHECK(state.conditional_false_positive_rate == 1.0 / 512);
}

TEST_CASE("counting: clear resets keys and event counts", "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(1));
  for (int i = 0; i < 16; ++i) filter.insert(key_at({1}));
  filter.erase(key_at({1}));
  filter.erase(key_at({2}));
  filter.clear();
  CHECK(filter == ScriptedCountingFilter(spec_of(1)));
  CHECK(filter.state().num_refused_erases == 0);
  CHECK(filter.state().num_skipped_decrements == 0);
}

TEST_CASE("counting: merge adds multiplicities, and a common key is absent after two erases",
          "[variants][counting]") {
  ScriptedCountingFilter a(spec_of(3));
  ScriptedCountingFilter b(spec_of(3));
  a.insert(key_at({1, 2, 3}));
  b.insert(key_at({1, 2, 3}));
  b.insert(key_at({3, 4, 5}));
  a.merge(b);
  CHECK(a.counters().get(1) == 2);
  CHECK(a.counters().get(3) == 3);
  CHECK(a.counters().get(5) == 1);
  CHECK(a.erase(key_at({1, 2, 3})));
  CHECK(a.contains(key_at({1, 2, 3})));
  CHECK(a.erase(key_at({1, 2, 3})));
  CHECK_FALSE(a.contains(key_at({1, 2, 3})));
  CHECK(a.contains(key_at({3, 4, 5})));
  a.merge(a);
  CHECK(a.counters().get(5) == 2);
}

TEST_CASE("counting: merge saturates, and saturated counters stay at the maximum",
          "[variants][counting]") {
  ScriptedCountingFilter a(spec_of(1));
  ScriptedCountingFilter b(spec_of(1));
  for (int i = 0; i < 9; ++i) a.insert(key_at({7}));
  for (int i = 0; i < 20; ++i) b.insert(key_at({8}));
  for (int i = 0; i < 5; ++i) CHECK(b.erase(key_at({8})));  // sticky: skipped
  CHECK_FALSE(a.erase(key_at({9})));
  a.merge(b);
  CHECK(a.counters().get(7) == 9);
  CHECK(a.counters().get(8) == 15);
  CHECK(a.state().num_skipped_decrements == 5);  // the sum of both filters
  CHECK(a.state().num_refused_erases == 1);
  a.merge(a);
  CHECK(a.counters().get(7) == 15);
  CHECK(a.state().num_saturated == 2);
  CHECK(a.erase(key_at({7})));
  CHECK(a.counters().get(7) == 15);
}

TEST_CASE("counting: merge of other counter_bits or saturation is refused and changes nothing",
          "[variants][counting]") {
  ScriptedCountingFilter filter(spec_of(1));
  filter.insert(key_at({3}));
  const ScriptedCountingFilter before = filter;
  ScriptedCountingFilter clamped(spec_of(1, kClamped));
  ScriptedCountingFilter wide(spec_of(1, {{"counter_bits", 8.0}}));
  clamped.insert(key_at({4}));
  wide.insert(key_at({4}));
  CHECK_THROWS_WITH(filter.merge(clamped),
                    "saturation must be equal in both filters, got sticky and clamped");
  CHECK_THROWS_WITH(filter.merge(wide), "counter_bits must be equal in both filters, got 4 and 8");
  CHECK_THROWS_WITH(filter.estimate_sets(wide),
                    "counter_bits must be equal in both filters, got 4 and 8");
  CHECK(filter == before);
}

TEST_CASE("counting: the estimate counts distinct keys, not inserts", "[variants][counting]") {
  CountingFilter once({.num_counters = 1024, .num_hashes = 4});
  CountingFilter often({.num_counters = 1024, .num_hashes = 4});
  for (const Digest& key : test::member_digests(50)) {
    once.insert(key);
    for (int i = 0; i < 3; ++i) often.insert(key);
  }
  CHECK(often.estimate_count() == once.estimate_count());
  for (const Digest& key : test::member_digests(50)) once.erase(key);
  CHECK(once.estimate_count() == 0);
}

}  // namespace bloometry
