#include <string>

#include "experiments/verdict/verdict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/defects/filters.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

constexpr double kFalseAlarm = 1e-6;

/// Returns a run over three values of n. The filters of the run have type F and report the name
/// "standard".
template <class F>
RunData run_with() {
  std::vector<TrialRow> rows;
  for (const std::uint64_t num_keys : {3'000, 10'000, 20'000}) {
    SmallTrial trial = usual_trial();
    trial.num_keys = num_keys;
    trial.trial = rows.size();
    rows.push_back(measure(AnyFilter(F(trial.spec)), trial));
  }
  return run_of(std::move(rows));
}

bool blames(const Verdict& verdict, const std::string& test) {
  for (const RowVerdict& row : verdict.rows) {
    if (row.deviates && row.why.find(test) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("verdict: a correct run is accepted", "[verdict][faults]") {
  const Verdict verdict = judge(run_with<StandardFilter>(), kFalseAlarm);
  CHECK(verdict.accepted());
  CHECK(verdict.num_tests == 9);
  CHECK(verdict.num_tested_rows == 3);
}

TEST_CASE("verdict: a filter that drops every 50th insert is rejected", "[verdict][faults]") {
  RunData run = run_with<DroppingFilter<50>>();
  Verdict verdict = judge(run, kFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_false_negatives > 0);

  SECTION("even without queries of the dropped members") {
    for (TrialRow& row : run.rows) row.num_false_negatives = 0;
    verdict = judge(run, kFalseAlarm);
    CHECK_FALSE(verdict.accepted());
    CHECK(blames(verdict, "fill"));
  }
}

TEST_CASE("verdict: a filter whose probes reach 90 % of m is rejected", "[verdict][faults]") {
  const Verdict verdict = judge(run_with<NarrowFilter>(), kFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  CHECK(blames(verdict, "fill"));
  CHECK(blames(verdict, "false positives"));
}

TEST_CASE("verdict: a filter judged by the theory of k + 1 is rejected", "[verdict][faults]") {
  const Verdict verdict = judge(run_with<MiscountingFilter<-1>>(), kFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  CHECK(blames(verdict, "fill"));
  CHECK(blames(verdict, "false positives"));
}

TEST_CASE("verdict: a repeated probe is found by 10^4 histograms, not by 10^5 false positives",
          "[verdict][faults]") {
  // At a fill of 0.2 and k = 7, the rate is 6e-5 instead of 1e-5, so 10^5 queries give 6 false
  // positives.
  SmallTrial trial{.spec = {.num_bits = 31'000, .num_hashes = 7}, .num_keys = 1'000};
  const auto verdict_of = [&](std::uint64_t num_queries) {
    trial.num_queries = num_queries;
    return judge(run_of({measure(AnyFilter(RepeatingFilter(trial.spec)), trial)}), kFalseAlarm);
  };
  const Verdict few = verdict_of(kMaxHistogramQueries);
  CHECK(blames(few, "histogram"));
  CHECK(few.rows.front().histogram_p_value < 1e-12);
  const Verdict more = verdict_of(100'000);
  CHECK(blames(more, "histogram"));
  CHECK(*more.rows.front().false_positives_p_value > more.threshold);
  const Verdict many = verdict_of(1'000'000);
  CHECK(*many.rows.front().false_positives_p_value < many.threshold);
}
