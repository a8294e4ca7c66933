#include "experiments/trial/window_stream.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/statistics/binomial_test.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/defects/exact_generations.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using test::ExactGenerations;
using test::GenerationDefect;

Unit windowed_unit(const StreamWindow& window, std::uint64_t trial = 0) {
  Unit unit = test::small_unit("standard", 64, {{1, 1, 1}});
  unit.window = window;
  unit.trial = trial;
  return unit;
}

/// A stream into an exact filter that forgets, and the counts after each call.
template <GenerationDefect kDefect = GenerationDefect::kNone>
class Streamed {
 public:
  Streamed(const StreamWindow& window, std::uint64_t num_generations, std::uint64_t capacity,
           std::uint64_t max_calls, Calls calls = Calls::kSingle, std::uint64_t trial = 0)
      : unit_(windowed_unit(window, trial)),
        filter_(ExactGenerations<kDefect>(test::spec_of_generations(num_generations, capacity))),
        members_(test::member_digests(max_calls)),
        stream_(unit_, filter_, members_, max_calls,
                lifetime_of(filter_.window().value(), false, 1), calls) {}

  /// Returns the counts after num_calls insert calls.
  TrialRow row_after(std::uint64_t num_calls) {
    stream_.run_up_to(run_, num_calls);
    TrialRow row;
    row.num_inserted = num_calls;
    stream_.count(run_, members_.size(), row);
    const std::vector<Digest> sample = stream_.sample();
    row.num_member_queries = sample.size();
    row.num_false_negatives = sample.size() - filter_.count_positives(sample);
    return row;
  }

  [[nodiscard]] std::uint64_t num_contained() const { return filter_.count_positives(members_); }

  [[nodiscard]] const WindowTruth& truth() const noexcept { return stream_.truth(); }

 private:
  Unit unit_;
  AnyFilter filter_;
  std::vector<Digest> members_;
  WindowStream stream_;
  TrialContext context_{};
  UnitRun run_{unit_, context_};
};

/// Calls check(window, num_generations, capacity, num_calls) for windows in keys and in ticks of
/// small filters, up to the largest window that the filter promises.
template <class Check>
void for_each_shape(Check check) {
  for (const std::uint64_t num_generations : {2, 3, 5}) {
    for (const std::uint64_t capacity : {1, 2, 5}) {
      const std::uint64_t num_calls = (num_generations + 2) * capacity + 3;
      for (const double reinsert : {0.0, 0.4}) {
        const std::uint64_t largest = (num_generations - 1) * capacity + 1;
        for (const std::uint64_t size : std::set<std::uint64_t>{1, largest / 2 + 1, largest}) {
          check(StreamWindow{.size = size, .reinsert = reinsert}, num_generations, capacity,
                num_calls);
        }
        for (std::uint64_t inserts = 1; inserts <= capacity; ++inserts) {
          for (std::uint64_t size = 1; size < num_generations; ++size) {
            check(StreamWindow{.size = size, .inserts_per_tick = inserts, .reinsert = reinsert},
                  num_generations, capacity, num_calls);
          }
        }
      }
    }
  }
}

/// Returns the sums of the counts over all phases of all shapes.
template <GenerationDefect kDefect>
TrialRow sums_over_shapes(std::uint64_t trial) {
  TrialRow sums;
  sums.num_window_violations = 0;
  sums.num_expired_present = 0;
  for_each_shape([&](const StreamWindow& window, std::uint64_t num_generations,
                     std::uint64_t capacity, std::uint64_t num_calls) {
    Streamed<kDefect> streamed(window, num_generations, capacity, num_calls, Calls::kSingle, trial);
    for (std::uint64_t n = 0; n <= num_calls; ++n) {
      const TrialRow row = streamed.row_after(n);
      sums.num_false_negatives += row.num_false_negatives;
      *sums.num_window_violations += *row.num_window_violations;
      *sums.num_expired_present += *row.num_expired_present;
    }
  });
  return sums;
}

}  // namespace

TEST_CASE("window_stream: a filter that keeps its promise has no violations at any phase",
          "[experiments][trial]") {
  for_each_shape([](const StreamWindow& window, std::uint64_t num_generations,
                    std::uint64_t capacity, std::uint64_t num_calls) {
    Streamed streamed(window, num_generations, capacity, num_calls);
    for (std::uint64_t n = 0; n <= num_calls; ++n) {
      const TrialRow row = streamed.row_after(n);
      CAPTURE(window.size, window.inserts_per_tick, window.reinsert, num_generations, capacity, n);
      REQUIRE(row.num_window_violations == 0U);
      REQUIRE(row.num_expired_present == 0U);
      REQUIRE(row.num_false_negatives == 0);
      // The filter is exact, so that it contains the keys in the window and the retained keys.
      REQUIRE(*row.num_window_queries + *row.num_expired_retained == streamed.num_contained());
      REQUIRE(row.num_member_queries == streamed.num_contained());
    }
  });
}

TEST_CASE("window_stream: defects of a filter that forgets are counted", "[experiments][trial]") {
  SECTION("a generation that closes one insert early") {
    const TrialRow sums = sums_over_shapes<GenerationDefect::kClosesAfterInsert>(0);
    CHECK(sums.num_window_violations > 0U);
    CHECK(sums.num_false_negatives > 0);
    CHECK(sums.num_expired_present == 0U);
  }
  SECTION("repeated inserts that do not begin a new window") {
    const TrialRow sums = sums_over_shapes<GenerationDefect::kForgetsRepeats>(0);
    CHECK(sums.num_window_violations > 0U);
    CHECK(sums.num_expired_present == 0U);
  }
  SECTION("a generation that is cleared too late") {
    const TrialRow sums = sums_over_shapes<GenerationDefect::kKeepsOneMore>(0);
    CHECK(sums.num_window_violations == 0U);
    CHECK(sums.num_false_negatives == 0);
    CHECK(sums.num_expired_present > 0U);
  }
}

TEST_CASE("window_stream: a window one insert too large is violated", "[experiments][trial]") {
  // Three generations of five: the oldest key of 11 calls is lost when call 16 opens a generation.
  for (const auto& [size, num_violations] : {std::pair(11, 0U), std::pair(12, 1U)}) {
    Streamed streamed({.size = static_cast<std::uint64_t>(size)}, 3, 5, 16);
    CHECK(streamed.row_after(16).num_window_violations == num_violations);
  }
}

TEST_CASE("window_stream: batches and checkpoints do not change a stream", "[experiments][trial]") {
  for (const StreamWindow window : {StreamWindow{.size = 61, .reinsert = 0.3},
                                    StreamWindow{.size = 3, .inserts_per_tick = 17}}) {
    Streamed single(window, 4, 20, 400, Calls::kSingle);
    Streamed batch(window, 4, 20, 400, Calls::kBatch);
    for (const std::uint64_t n : {1, 20, 21, 61, 62, 399}) single.row_after(n);
    CHECK(single.row_after(400) == batch.row_after(400));
    CHECK(single.num_contained() == batch.num_contained());
  }
}

TEST_CASE("window_stream: keys with traces are retained until the last trace is gone",
          "[experiments][trial]") {
  const std::uint64_t num_calls = 100;
  const std::vector<Digest> members = test::member_digests(num_calls);
  const Unit unit = windowed_unit({.size = 10});
  const TrialContext context;
  UnitRun run{unit, context};
  for (const unsigned num_hashes : {1U, 4U}) {
    AnyFilter filter(ExactGenerations(test::spec_of_generations(3, 5)));
    WindowStream stream(unit, filter, members, num_calls,
                        lifetime_of(filter.window().value(), true, num_hashes), Calls::kBatch);
    stream.run_up_to(run, num_calls);
    TrialRow row;
    stream.count(run, num_calls, row);
    CHECK(row.num_expired_queries == 90U);
    // The newest generation is full, so that k + l = num_hashes + 2 generations have cells.
    CHECK(row.num_expired_retained == 5 * (num_hashes + 2) - 10);
    stream.count(run, 7, row);  // the newest of the expired keys
    CHECK(row.num_expired_queries == 7U);
    CHECK(row.num_expired_retained == std::min(7U, 5 * (num_hashes + 2) - 10));
  }
}

TEST_CASE("window_stream: repeats have the requested share and are uniform over the window",
          "[experiments][trial]") {
  constexpr std::uint64_t kCalls = 20'000;
  constexpr std::uint64_t kSize = 8;
  constexpr double kAlpha = 1e-9;
  const StreamWindow window{.size = kSize, .reinsert = 0.25};
  const Unit unit = windowed_unit(window);
  const std::vector<Digest> members = test::member_digests(kCalls);
  AnyFilter filter = make_filter("standard", "remix", {.num_bits = 64, .num_hashes = 1});
  WindowStream stream(unit, filter, members, kCalls, std::nullopt, Calls::kBatch);
  const TrialContext context;
  UnitRun run{unit, context};
  std::uint64_t num_repeats = 0;
  std::uint64_t num_of_older_half = 0;
  std::uint64_t num_draws = 0;
  std::uint64_t num_new = 0;
  for (std::uint64_t n = 1; n <= kCalls; ++n) {
    std::vector<std::uint64_t> by_age;  // keys in the window, the latest insert first
    for (std::uint64_t i = 0; i < stream.truth().num_in_window(); ++i) {
      by_age.push_back(stream.truth().in_window(i));
    }
    std::sort(by_age.begin(), by_age.end(), [&](auto a, auto b) {
      return stream.truth().last_call(a) > stream.truth().last_call(b);
    });
    stream.run_up_to(run, n);
    const bool is_new = num_new < kCalls && stream.truth().was_inserted(num_new);
    num_new += is_new ? 1 : 0;
    if (is_new || by_age.size() % 2 != 0) {
      num_repeats += is_new ? 0 : 1;
      continue;
    }
    ++num_repeats;
    ++num_draws;
    const auto repeated = std::find_if(by_age.begin(), by_age.end(), [&](auto key) {
      return stream.truth().last_call(key) == n - 1;
    });
    REQUIRE(repeated != by_age.end());
    const auto rank = static_cast<std::size_t>(repeated - by_age.begin());
    num_of_older_half += rank >= by_age.size() / 2 ? 1 : 0;
  }
  CAPTURE(num_repeats, num_draws, num_of_older_half);
  // The first call finds an empty window.
  CHECK(statistics::binomial_two_sided_p_value(num_repeats, kCalls - 1, 0.25) > kAlpha);
  CHECK(statistics::binomial_two_sided_p_value(num_of_older_half, num_draws, 0.5) > kAlpha);
}

TEST_CASE("window_stream: a filter that does not forget retains all expired keys",
          "[experiments][trial]") {
  Unit unit = test::small_unit("standard", 64 * 100, test::grid({0, 1, 9, 10, 11, 500}, {3}, 200));
  unit.window = StreamWindow{.size = 10, .reinsert = 0.2};
  DigestStore store(1 << 24);
  const auto result = run_unit(unit, {.engine = Engine::kDirect, .digests = &store});
  for (const TrialRow& row : result->rows) {
    CAPTURE(row.num_inserted);
    CHECK(row.num_window_violations == 0U);
    CHECK(row.num_false_negatives == 0);
    CHECK(row.num_expired_retained == row.num_expired_queries);
    CHECK(row.num_expired_present == 0U);
    CHECK(row.num_window_queries.value() <= 10);
    CHECK(row.num_member_queries >= row.num_window_queries.value());
  }
}

TEST_CASE("window_stream: erased keys follow the rate of absent keys", "[experiments][trial]") {
  // The counters of an erased key are those before its insert, so that a counting filter equals one
  // that never contained the key.
  constexpr double kAlpha = 1e-9;
  Unit unit = test::small_unit("counting", 4 * 6'000, {{4'000, 3, 4'000}});
  unit.window = StreamWindow{.size = 100, .reinsert = 0.3, .erase = 0.8};
  DigestStore store(1 << 24);
  const TrialRow row = run_unit(unit, {.engine = Engine::kDirect, .digests = &store})->rows.front();
  REQUIRE(row.num_saturated == 0U);
  REQUIRE(row.num_refused_erases == 0U);
  const std::uint64_t num_gone = *row.num_expired_queries - *row.num_expired_retained;
  CAPTURE(num_gone, *row.num_expired_present, row.conditional_false_positive_rate);
  CHECK(num_gone > 1'000);
  CHECK(*row.num_expired_retained > 100);
  CHECK(row.num_window_violations == 0U);
  CHECK(row.num_false_negatives == 0);
  CHECK(statistics::binomial_two_sided_p_value(*row.num_expired_present, num_gone,
                                               row.conditional_false_positive_rate) > kAlpha);
}

TEST_CASE("window_stream: erases require a variant that can erase", "[experiments][trial]") {
  Unit unit = test::small_unit("standard", 1000, {{10, 3, 10}});
  unit.window = StreamWindow{.size = 5, .erase = 0.5};
  DigestStore store(1 << 20);
  CHECK(test::message_of<ConfigError>([&] {
          static_cast<void>(run_unit(unit, {.digests = &store}));
        }) == "window.erase must be 0 for standard, which cannot erase, got 0.5");
}

}  // namespace bloometry
