#include <string>
#include <vector>

#include "experiments/trial/item_stream.hpp"
#include "experiments/trial/point_row.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/defects/exact_generations.hpp"
#include "tests/support/digests.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

constexpr double kStreamFalseAlarm = 1e-6;

/// Returns a run of one row: a stream of 500 items into an exact filter of 4 generations of 25
/// inserts. The filter reports the state of an empty filter.
template <GenerationDefect kDefect = GenerationDefect::kNone>
RunData run_of_stream(const ItemStream& stream) {
  RunData run;
  run.units = {small_unit("standard", 64, {{500, 1, 1000}})};
  Unit& unit = run.units.front();
  unit.stream = stream;
  AnyFilter filter(ExactGenerations<kDefect>(spec_of_generations(4, 25)));
  const std::vector<Digest> keys = member_digests(stream.num_distinct);
  const TrialContext context;
  UnitRun trial{unit, context};
  ItemStreamRun items(unit, filter, keys, lifetime_of(filter.window().value(), false, 1));
  items.run_up_to(trial, 500);
  const std::vector<Digest> sample = items.sample();
  TrialRow row = make_row(unit, unit.points.front(), filter.state(),
                          {.num_member_queries = sample.size(),
                           .num_false_negatives = sample.size() - filter.count_positives(sample)});
  items.count(row);
  run.rows = {row};
  run.num_units = 1;
  run.num_finished_units = 1;
  return run;
}

const ItemStream kStream{.zipf = 0.8, .num_distinct = 200};

}  // namespace

TEST_CASE("verdict: a stream whose duplicates are stopped as promised is accepted",
          "[verdict][stream]") {
  const Verdict verdict = judge(run_of_stream(kStream), kStreamFalseAlarm);
  CHECK(verdict.accepted());
  CHECK(verdict.num_lost_duplicates == 0);
  CHECK(verdict.rows.front().fill_skipped_because ==
        "the number of keys after a stream of items is unknown");
}

TEST_CASE("verdict: a lost duplicate rejects the run", "[verdict][stream]") {
  const RunData run = run_of_stream<GenerationDefect::kClosesAfterInsert>(kStream);
  const Verdict verdict = judge(run, kStreamFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_lost_duplicates > 0);
  CHECK_THAT(verdict.rows.front().why, Catch::Matchers::Contains("that the filter holds passed"));
}

TEST_CASE("summary: the counts of a stream are sums over the trials", "[verdict][summary]") {
  const RunData run = run_of_stream(kStream);
  RunData two = run;
  two.rows.push_back(run.rows.front());
  const std::vector<SummaryRow> rows = summarise(judge(two, kStreamFalseAlarm));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].num_originals == 2 * *run.rows[0].num_originals);
  CHECK(rows[0].num_duplicates_passed == 2 * *run.rows[0].num_duplicates_passed);
  CHECK(rows[0].num_held_duplicates == 2 * *run.rows[0].num_held_duplicates);
  CHECK(rows[0].expected_by == "unselected_keys");
  const std::string csv = summary_csv(rows);
  CHECK_THAT(csv, Catch::Matchers::Contains("stream_zipf,stream_num_distinct,stream_insert,"
                                            "stream_clear_every,capacity"));
  CHECK_THAT(csv, Catch::Matchers::Contains(",0.8,200,passed,0,"));
}
