#include "experiments/verdict/verdict.hpp"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/workload/key_hash.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

constexpr double kVerdictFalseAlarm = 1e-6;

SmallTrial counting_trial(std::uint64_t num_keys, std::uint64_t num_counters, unsigned num_hashes) {
  return {.variant = "counting",
          .spec = {.num_counters = num_counters, .num_hashes = num_hashes},
          .num_keys = num_keys,
          .num_queries = 10'000,
          .seed = 3};
}

}  // namespace

TEST_CASE("verdict: the threshold is the false alarm over the number of tests", "[verdict]") {
  SmallTrial other = usual_trial(2);
  other.trial = 1;
  const Verdict verdict = judge(run_of({measure(usual_trial()), measure(other)}), 1e-4);
  CHECK(verdict.num_tests == 6);
  CHECK(verdict.threshold == 1e-4 / 6);
  CHECK(verdict.accepted());
}

TEST_CASE("verdict: a scheme that departs from its model is exempt for any false positives",
          "[verdict]") {
  SmallTrial trial = usual_trial();
  trial.probes = "double_mod";
  TrialRow row = measure(trial);
  row.num_false_positives = row.num_queries / 2;
  const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
  CHECK(verdict.num_deviations == 0);
  CHECK(verdict.num_tests == 0);
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.exempt.at("probes double_mod depart from their model by design") == 1);
  CHECK(verdict.rows.front().false_positives_p_value < 1e-100);  // reported nevertheless

  SECTION("a false negative is still a deviation") {
    row.num_false_negatives = 1;
    const Verdict gated = judge(run_of({row}), kVerdictFalseAlarm);
    CHECK_FALSE(gated.accepted());
    CHECK(gated.num_false_negatives == 1);
    CHECK(gated.rows.front().why == "1 false negative among 10,000 members queried");
  }
}

TEST_CASE("verdict: a weak hash is exempt for any false positives", "[verdict]") {
  for (const KeyHash& hash : all_key_hashes()) {
    CAPTURE(hash.name);
    TrialRow row = measure(usual_trial());
    row.hash = hash.name;
    row.num_false_positives = row.num_queries / 2;
    const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
    CHECK((verdict.num_deviations == 0) == hash.is_weak);
    CHECK(verdict.exempt.contains("hash " + row.hash + " is marked weak") == hash.is_weak);
  }
}

TEST_CASE("verdict: rows with wrongful erases are exempt, also from false negatives", "[verdict]") {
  TrialRow row = measure(counting_trial(1'000, 10'000, 4));
  row.num_false_negatives = 5;
  row.num_false_positives = 9'000;
  row.num_wrongful_erases = 2;
  const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
  CHECK(verdict.num_deviations == 0);
  CHECK(verdict.num_false_negatives == 0);
  CHECK(verdict.exempt.at("keys were erased that were never inserted") == 1);

  SECTION("not if no wrongful erase happened") {
    row.num_wrongful_erases = 0;
    CHECK(judge(run_of({row}), kVerdictFalseAlarm).num_deviations == 1);
  }
}

TEST_CASE("verdict: a saturated counter excludes the fill test but not the test of false positives",
          "[verdict]") {
  TrialRow row = measure(counting_trial(10'000, 10'000, 8));
  REQUIRE(*row.num_saturated > 0);
  const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
  CHECK(verdict.num_tests == 2);
  CHECK(verdict.num_tested_rows == 1);
  CHECK(verdict.rows.front().histogram_p_value);
  CHECK_FALSE(verdict.rows.front().fill_p_value);
  CHECK(verdict.rows.front().fill_skipped_because == "a counter has saturated");
  CHECK(verdict.accepted());
}

TEST_CASE("verdict: rows without a histogram have the other tests", "[verdict]") {
  TrialRow row = measure(usual_trial());
  REQUIRE(judge(run_of({row}), kVerdictFalseAlarm).num_tests == 3);
  SECTION("rows of earlier versions") {
    row.set_probe_counts.clear();
    const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
    CHECK(verdict.num_tests == 2);
    CHECK(verdict.accepted());
    CHECK(verdict.rows.front().histogram_skipped_because ==
          "the probes of its queries were not counted");
  }
  SECTION("slices, whose fills are not in the row") {
    SmallTrial trial = usual_trial();
    trial.variant = "partitioned";
    const Verdict verdict = judge(run_of({measure(trial)}), kVerdictFalseAlarm);
    CHECK(verdict.num_tests == 2);
    CHECK(verdict.rows.front().histogram_skipped_because ==
          "the fills of its slices are not in the row");
  }
  SECTION("theory cannot compute the rate of blocks from the counts") {
    SmallTrial trial = usual_trial();
    trial.variant = "blocked";
    const Verdict verdict = judge(run_of({measure(trial)}), kVerdictFalseAlarm);
    CHECK_FALSE(verdict.rows.front().histogram_p_value);
    CHECK(verdict.rows.front().histogram_skipped_because ==
          "its counts do not determine the law of its probes");
  }
  SECTION("distinct probes have their own law") {
    // At m = 40 and k = 8, the law of the number of set probes is far from the binomial law.
    SmallTrial trial{
        .probes = "distinct", .spec = {.num_bits = 40, .num_hashes = 8}, .num_keys = 4};
    TrialRow distinct = measure(trial);
    CHECK(judge(run_of({distinct}), kVerdictFalseAlarm).accepted());
    distinct.probes = "independent";
    CHECK(judge(run_of({distinct}), kVerdictFalseAlarm).rows.front().histogram_p_value < 1e-12);
  }
}

TEST_CASE("verdict: a histogram that departs from its law is rejected by its own test",
          "[verdict]") {
  TrialRow row = measure(usual_trial());
  // Moves 120 queries from 3 set probes to 0 and 6 set probes, so that the mean does not change.
  for (const std::size_t s : {0U, 6U}) {
    row.set_probe_counts[s] += 60;
    row.set_probe_counts[3] -= 60;
  }
  const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  const std::string& why = verdict.rows.front().why;
  CHECK(why.find("histogram: absent keys with 0, 1, ... of their probes") == 0);
  CHECK(why.find("false positives") == std::string::npos);
}

TEST_CASE("verdict: verdict and summary do not depend on the number of threads", "[verdict]") {
  std::vector<TrialRow> rows;
  for (std::uint64_t num_keys = 1; num_keys <= 300; ++num_keys) {
    for (const unsigned num_hashes : {3U, 4U}) {
      SmallTrial trial = counting_trial(num_keys, 1'000 + num_keys % 7, num_hashes);
      trial.num_queries = 100;
      trial.trial = rows.size();  // a separate unit
      rows.push_back(measure(trial));
    }
  }
  rows[100].num_false_negatives = 1;
  const RunData run = run_of(std::move(rows));
  const auto texts = [&](unsigned num_threads) {
    const Workers workers{.num_threads = num_threads};
    const Verdict verdict = judge(run, kVerdictFalseAlarm, workers);
    std::ostringstream text;
    text << std::hexfloat << verdict.num_tests << ' ' << verdict.threshold << '\n';
    for (const RowVerdict& row : verdict.rows) {
      text << row.row.unit << ' ' << row.false_positives_p_value.value_or(-1) << ' '
           << row.fill_p_value.value_or(-1) << ' ' << row.histogram_p_value.value_or(-1) << ' '
           << row.expected_ones.value_or(-1) << ' ' << row.why << '\n';
    }
    return text.str() + summary_csv(summarise(verdict, workers));
  };
  const std::string by_one = texts(1);
  CHECK(by_one.find("1 false negative") != std::string::npos);
  CHECK(texts(4) == by_one);
}

TEST_CASE("verdict: the error for contradicting rows does not depend on the threads", "[verdict]") {
  std::vector<TrialRow> rows;
  for (std::uint64_t num_keys = 1; num_keys <= 400; ++num_keys) {
    SmallTrial trial = counting_trial(num_keys, 1'000, 3);
    trial.num_queries = 10;
    trial.trial = num_keys;  // a separate unit
    rows.push_back(measure(trial));
    if (num_keys % 200 == 0) rows.back().conditional_false_positive_rate = 2;
  }
  const RunData run = run_of(std::move(rows));
  for (const unsigned num_threads : {1U, 4U}) {
    CHECK_THROWS_WITH(judge(run, kVerdictFalseAlarm, {.num_threads = num_threads}),
                      Catch::Contains(run.rows[199].unit));
  }
}

TEST_CASE("verdict: an incomplete run and a run without rows are rejected", "[verdict]") {
  RunData run = run_of({measure(usual_trial())});
  run.num_units = 2;
  CHECK_FALSE(judge(run, kVerdictFalseAlarm).accepted());
  CHECK(judge(run, kVerdictFalseAlarm).num_missing_units == 1);
  CHECK_FALSE(judge(run_of({}), kVerdictFalseAlarm).accepted());
}

TEST_CASE("verdict: a conditional rate that contradicts the row's counts is rejected",
          "[verdict]") {
  TrialRow row = measure(usual_trial());
  row.conditional_false_positive_rate *= 1 + 1e-9;  // too small for any test of the false positives
  const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.rows.front().why.find("own counts") != std::string::npos);
}

TEST_CASE("verdict: a rate given the state that no fills of blocks can give is rejected",
          "[verdict]") {
  struct Case {
    std::string variant;
    std::string probes;
    FilterSpec spec;
    // For a given total fill, equally filled blocks have the lowest rate, and full and empty blocks
    // have the highest. With one probe, the two rates are equal.
    double (*impossible_rate)(double fill);
  };

  const auto low = [](double fill) { return 0.999 * std::pow(fill, 8); };
  const auto above_fill = [](double fill) { return 1.001 * fill; };
  for (const auto& [variant, probes, spec, impossible_rate] : std::vector<Case>{
           {"blocked", "bit_fields", {.num_bits = 65'536, .num_hashes = 8}, low},
           {"blocked", "bit_fields", {.num_bits = 65'536, .num_hashes = 1}, above_fill},
           {"blocked", "distinct", {.num_bits = 65'536, .num_hashes = 8}, above_fill},
           {"blocked_counting", "bit_fields", {.num_counters = 65'536, .num_hashes = 8}, low},
           {"split_block", "parquet_salts", {.num_bits = 65'536}, above_fill},
           {"lanes", "lane_fields", {.num_bits = 65'536}, above_fill}}) {
    CAPTURE(variant, probes);
    TrialRow row = measure(
        {.variant = variant, .probes = probes, .spec = spec, .num_keys = 4000, .num_queries = 0});
    CHECK(judge(run_of({row}), kVerdictFalseAlarm).num_deviations == 0);
    row.conditional_false_positive_rate = impossible_rate(
        static_cast<double>(row.num_ones) / static_cast<double>(row.num_counters.value_or(65'536)));
    const Verdict verdict = judge(run_of({row}), kVerdictFalseAlarm);
    CHECK_FALSE(verdict.accepted());
    CHECK(verdict.rows.front().why.find("own counts") != std::string::npos);
  }
}

TEST_CASE("verdict: rows are sorted with the worst first", "[verdict]") {
  TrialRow honest = measure(usual_trial());
  TrialRow faulty = honest;
  faulty.trial = 1;
  faulty.num_false_positives += 500;
  TrialRow exempt = honest;
  exempt.unit = "exempt";
  exempt.probes = "double_mod";
  exempt.num_false_positives = exempt.num_queries;
  const Verdict verdict = judge(run_of({honest, exempt, faulty}), kVerdictFalseAlarm);
  REQUIRE(verdict.rows.size() == 3);
  CHECK(verdict.rows[0].row == faulty);
  CHECK(verdict.rows[0].deviates);
  CHECK(verdict.rows[1].row == honest);
  CHECK(verdict.rows[2].row == exempt);
  CHECK(verdict.num_deviations == 1);
}

TEST_CASE("verdict: after churn the fill is tested for the remaining keys", "[verdict]") {
  // The churn erases 200 and inserts 100 of 1000 keys in each of two rounds, so 800 keys remain.
  // The filter equals a filter into which only the 800 keys were inserted.
  SmallTrial trial = counting_trial(800, 10'000, 4);
  TrialRow row = measure(trial);
  row.num_inserted = 1'000;
  RunData run = run_of({row});
  run.units.front().churn = Churn{.rounds = 2, .erase = 0.2, .reinsert = 0.1};
  const Verdict verdict = judge(run, kVerdictFalseAlarm);
  CHECK(verdict.accepted());
  CHECK(verdict.num_tests == 3);

  SECTION("another number of remaining keys is rejected") {
    run.units.front().churn->reinsert = 0.2;
    const Verdict wrong = judge(run, kVerdictFalseAlarm);
    CHECK_FALSE(wrong.accepted());
    CHECK(wrong.rows.front().why.find("fill") != std::string::npos);
  }
  SECTION("no fill test after a refused erase") {
    run.rows.front().num_refused_erases = 1;
    const Verdict open = judge(run, kVerdictFalseAlarm);
    CHECK(open.num_tests == 2);
    CHECK_FALSE(open.rows.front().fill_skipped_because.empty());
  }
  SECTION("no fill test for clamped counters") {
    run.units.front().spec.params["saturation"] = "clamped";
    CHECK(judge(run, kVerdictFalseAlarm).num_tests == 2);
  }
}

TEST_CASE("verdict: impossible rows and false alarms are errors", "[verdict]") {
  TrialRow row = measure(usual_trial());
  CHECK_THROWS_AS(judge(run_of({row}), 0), ConfigError);
  CHECK_THROWS_AS(judge(run_of({row}), 1), ConfigError);
  SECTION("more false positives than queries") {
    row.num_false_positives = row.num_queries + 1;
    CHECK_THROWS_AS(judge(run_of({row}), kVerdictFalseAlarm), ConfigError);
  }
  SECTION("an impossible rate") {
    row.conditional_false_positive_rate = 1.5;
    CHECK_THROWS_AS(judge(run_of({row}), kVerdictFalseAlarm), ConfigError);
  }
  SECTION("an unknown variant") {
    row.variant = "magic";
    CHECK_THROWS_AS(judge(run_of({row}), kVerdictFalseAlarm), ConfigError);
  }
}
