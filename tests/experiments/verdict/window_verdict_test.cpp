#include <cstdint>
#include <string>
#include <vector>

#include "core/statistics/binomial_test.hpp"
#include "experiments/trial/point_row.hpp"
#include "experiments/trial/window_stream.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "experiments/verdict/row_tests.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/defects/exact_generations.hpp"
#include "tests/support/digests.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

constexpr double kWindowFalseAlarm = 1e-6;
constexpr std::uint64_t kGenerations = 4;
constexpr std::uint64_t kGenerationCapacity = 25;
constexpr std::uint64_t kPromise = (kGenerations - 1) * kGenerationCapacity + 1;

Unit unit_with_window(const StreamWindow& window, std::uint64_t num_calls) {
  Unit unit = small_unit("standard", 64, {{num_calls, 1, 1000}});
  unit.window = window;
  return unit;
}

/// Returns a run of one row: a stream of num_calls insert calls into an exact filter that forgets.
/// The filter reports the state of an empty filter, so that no absent key may test positive.
template <GenerationDefect kDefect = GenerationDefect::kNone>
RunData run_of_window(const StreamWindow& window, std::uint64_t num_calls) {
  RunData run;
  run.units = {unit_with_window(window, num_calls)};
  const Unit& unit = run.units.front();
  AnyFilter filter(
      ExactGenerations<kDefect>(spec_of_generations(kGenerations, kGenerationCapacity)));
  const std::vector<Digest> members = member_digests(num_calls);
  const TrialContext context;
  UnitRun trial{unit, context};
  WindowStream stream(unit, filter, members, num_calls,
                      lifetime_of(filter.window().value(), false, 1), Calls::kBatch);
  stream.run_up_to(trial, num_calls);
  const std::vector<Digest> sample = stream.sample();
  TrialRow row = make_row(unit, unit.points.front(), filter.state(),
                          {.num_member_queries = sample.size(),
                           .num_false_negatives = sample.size() - filter.count_positives(sample)});
  stream.count(trial, row.num_queries, row);
  run.rows = {row};
  run.num_units = 1;
  run.num_finished_units = 1;
  return run;
}

std::string why_rejected(const RunData& run) {
  const Verdict verdict = judge(run, kWindowFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  return verdict.rows.front().why;
}

/// Returns the row of a unit whose expired keys are tested.
TrialRow tested_row(const Unit& unit) {
  TrialRow row{.unit = unit.id,
               .variant = unit.variant,
               .keys = "random",
               .hash = unit.hash,
               .probes = unit.probes,
               .params = unit.params};
  row.num_inserted = unit.points.front().num_inserted;
  row.num_bits = 64;
  row.num_hashes = 1;
  row.num_queries = unit.points.front().num_queries;
  row.num_window_queries = 10;
  row.num_window_violations = 0;
  row.num_expired_queries = 100;
  row.num_expired_retained = 40;
  row.num_expired_present = 0;
  return row;
}

std::string expired_skipped(const Unit& unit, const TrialRow& row) {
  TheoryCache cache;
  const RowVerdict verdict = test_row(row, row_context(unit, row), cache);
  CHECK(verdict.expired_p_value.has_value() == verdict.expired_skipped_because.empty());
  return verdict.expired_skipped_because;
}

}  // namespace

TEST_CASE("verdict: a filter that keeps its window is accepted at every phase",
          "[verdict][window]") {
  for (std::uint64_t n = 3 * kPromise; n < 3 * kPromise + kGenerationCapacity; ++n) {
    const Verdict verdict =
        judge(run_of_window({.size = kPromise, .reinsert = 0.2}, n), kWindowFalseAlarm);
    CAPTURE(n, verdict.rows.front().why);
    CHECK(verdict.accepted());
    CHECK(verdict.num_tests == 2);  // the false positives and the expired keys
    CHECK(verdict.num_window_violations == 0);
  }
}

TEST_CASE("verdict: a filter that forgets one call early is rejected", "[verdict][window]") {
  // The defect shows at the end of a generation only, as the key of the oldest call is lost then.
  const StreamWindow window{.size = kPromise, .reinsert = 0.1};
  constexpr std::uint64_t kFullGenerations = 8 * kGenerationCapacity;
  std::uint64_t num_rejected = 0;
  for (std::uint64_t n = kFullGenerations; n < kFullGenerations + 4 * kGenerationCapacity; ++n) {
    const RunData run = run_of_window<GenerationDefect::kClosesAfterInsert>(window, n);
    const bool is_violated = *run.rows.front().num_window_violations > 0;
    num_rejected += is_violated ? 1 : 0;
    CHECK(judge(run, kWindowFalseAlarm).accepted() ==
          (!is_violated && run.rows.front().num_false_negatives == 0));
    if (is_violated) {
      CHECK(why_rejected(run).find("1 window violation among ") != std::string::npos);
    }
    if (n % kGenerationCapacity != 0) CHECK_FALSE(is_violated);
  }
  CHECK(num_rejected > 0);
}

TEST_CASE("verdict: a filter that does not renew the window of a repeated key is rejected",
          "[verdict][window]") {
  const RunData run = run_of_window<GenerationDefect::kForgetsRepeats>(
      {.size = kPromise, .reinsert = 0.5}, 10 * kPromise);
  CHECK(why_rejected(run).find(" window violations among ") != std::string::npos);
}

TEST_CASE("verdict: a filter whose expired keys are found too often is rejected",
          "[verdict][window]") {
  const RunData run = run_of_window<GenerationDefect::kKeepsOneMore>(
      {.size = kPromise, .reinsert = 0.2}, 10 * kPromise);
  REQUIRE(run.rows.front().num_window_violations == 0U);
  REQUIRE(run.rows.front().num_false_negatives == 0);
  CHECK(why_rejected(run).starts_with("expired keys: "));
}

TEST_CASE("verdict: a window violation of an exempt row is still a deviation",
          "[verdict][window]") {
  RunData run = run_of_window({.size = kPromise, .reinsert = 0.2}, 2 * kPromise);
  run.units.front().hash = run.rows.front().hash = "crc32";
  run.rows.front().num_window_violations = 2;
  const Verdict verdict = judge(run, kWindowFalseAlarm);
  CHECK(verdict.num_deviations == 1);
  CHECK(verdict.num_window_violations == 2);
  CHECK(verdict.num_tested_rows == 0);
  CHECK(verdict.rows.front().why.starts_with("2 window violations among "));
}

TEST_CASE("verdict: expired keys have the exact binomial test given the state",
          "[verdict][window]") {
  const Unit unit = unit_with_window({.size = 10, .reinsert = 0.1}, 500);
  TrialRow row = tested_row(unit);
  row.conditional_false_positive_rate = 0.25;
  row.num_expired_present = 15;
  TheoryCache cache;
  const RowVerdict verdict = test_row(row, row_context(unit, row), cache);
  CHECK(*verdict.expected_expired_present == 15);  // of 60 keys
  CHECK(*verdict.expired_p_value == 1);
  row.num_expired_present = 60;
  CHECK(*test_row(row, row_context(unit, row), cache).expired_p_value ==
        statistics::binomial_two_sided_p_value(60, 60, 0.25));
}

TEST_CASE("verdict: expired keys on which the cells may depend are not tested",
          "[verdict][window]") {
  Unit unit = unit_with_window({.size = 10}, 500);
  TrialRow row = tested_row(unit);
  CHECK(expired_skipped(unit, row).empty());
  row.num_expired_retained = 100;
  CHECK(expired_skipped(unit, row) == "the filter may contain all expired keys");
  row.num_expired_queries = row.num_expired_retained = 0;
  CHECK(expired_skipped(unit, row) == "no key has expired");

  SECTION("erases of a counting filter") {
    unit = small_unit("counting", 256, {{500, 1, 1000}});
    unit.window = StreamWindow{.size = 10, .erase = 0.5};
    row = tested_row(unit);
    row.num_bits = 256;
    CHECK(expired_skipped(unit, row).empty());
    row.num_skipped_decrements = 1;
    CHECK(expired_skipped(unit, row) == "a counter has saturated");
    row.num_skipped_decrements.reset();
    row.num_saturated = 1;
    CHECK(expired_skipped(unit, row) == "a counter has saturated");
    row.num_saturated = 0;
    unit.spec.params["saturation"] = std::string("clamped");
    CHECK(expired_skipped(unit, row) ==
          "after erases, clamped counters do not show whether they saturated");
  }
  SECTION("erases of a table") {
    unit = small_unit("cuckoo", 64 * 32, {{500, 2, 1000}}, "digest_words");
    unit.window = StreamWindow{.size = 10, .erase = 0.5};
    row = tested_row(unit);
    row.num_hashes = 2;
    CHECK(expired_skipped(unit, row) == "the places of keys in a table depend on erased keys");
  }
}

TEST_CASE("row_context: a window makes the number of keys unknown unless all calls are new keys",
          "[verdict][window]") {
  const auto context_of = [](const StreamWindow& window) {
    const Unit unit = unit_with_window(window, 500);
    return row_context(unit, tested_row(unit));
  };
  CHECK(context_of({.size = 10}).has_num_keys);
  CHECK(context_of({.size = 10}).point.num_keys == 500);
  CHECK(context_of({.size = 10, .inserts_per_tick = 5}).has_num_keys);  // standard ignores ticks
  CHECK_FALSE(context_of({.size = 10, .reinsert = 0.1}).has_num_keys);
  CHECK(context_of({.size = 10, .reinsert = 0.1}).point.num_keys == 500);
  CHECK_FALSE(context_of({.size = 10, .erase = 0.1}).has_num_keys);
  CHECK(context_of({.size = 10}).window == StreamWindow{.size = 10});
}

TEST_CASE("summary: a window identifies a point, and its counts are sums", "[verdict][window]") {
  RunData run = run_of_window({.size = kPromise, .reinsert = 0.2}, 4 * kPromise);
  run.units.push_back(run.units.front());
  run.units.back().id = "another trial";
  run.units.back().trial = 1;
  run.units.push_back(run.units.front());
  run.units.back().id = "another window";
  run.units.back().window->size = 5;
  for (std::size_t i = 1; i < 3; ++i) {
    run.rows.push_back(run.rows.front());
    run.rows.back().unit = run.units[i].id;
    run.rows.back().trial = run.units[i].trial;
  }
  const std::vector<SummaryRow> rows = summarise(judge(run, kWindowFalseAlarm));
  REQUIRE(rows.size() == 2);
  CHECK(rows.front().window->size == 5);  // sorted by the window
  const SummaryRow& both = rows.back();
  const TrialRow& trial = run.rows.front();
  CHECK(both.num_trials == 2);
  CHECK(*both.num_window_queries == 2 * *trial.num_window_queries);
  CHECK(*both.num_window_violations == 0);
  CHECK(*both.num_expired_queries == 2 * *trial.num_expired_queries);
  CHECK(*both.num_expired_retained == 2 * *trial.num_expired_retained);
  CHECK(*both.num_expired_present == 0);
  CHECK(*both.min_expired_p_value == 1);
  CHECK(both.expected_by == "upper_bound");

  const std::string csv = summary_csv(rows);
  CHECK(csv.find(",churn_wrongful_erases,window_size,window_unit,window_inserts_per_tick,"
                 "window_reinsert,window_erase,capacity,") != std::string::npos);
  CHECK(csv.find(",num_refused_inserts,num_window_queries,num_window_violations,"
                 "num_expired_queries,num_expired_retained,num_expired_present,"
                 "observed_false_positive_rate,") != std::string::npos);
  CHECK(csv.find(",min_refused_inserts_p_value,min_expired_p_value\n") != std::string::npos);
  CHECK(csv.find(",0,0,0,0,76,keys,0,0.2,0,") != std::string::npos);
}
