#include "experiments/verdict/summary.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/theory/standard_rates.hpp"
#include "experiments/verdict/verdict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

TrialRow trial_with(std::uint64_t trial, std::uint64_t num_false_positives) {
  SmallTrial point = usual_trial();
  point.trial = trial;
  TrialRow row = measure(point);
  row.num_false_positives = num_false_positives;
  return row;
}

std::vector<SummaryRow> summary_of(const RunData& run) {
  return summarise(judge(run, 1e-6));
}

}  // namespace

TEST_CASE("summary: the trials of a point are one row", "[verdict][summary]") {
  const RunData run = run_of({trial_with(0, 800), trial_with(1, 840)});
  const std::vector<SummaryRow> rows = summary_of(run);
  REQUIRE(rows.size() == 1);
  const SummaryRow& row = rows.front();
  CHECK(row.num_trials == 2);
  CHECK(row.num_queries == 200'000);
  CHECK(row.num_false_positives == 1'640);
  CHECK(row.observed_false_positive_rate == 0.0082);
  CHECK(*row.observed_rate_stddev == Approx(0.0004 / std::sqrt(2.0)));
  CHECK(row.interval_lower < 0.0082);
  CHECK(row.interval_upper > 0.0082);
  CHECK(row.observed_fill_ratio ==
        Approx(static_cast<double>(run.rows[0].num_ones + run.rows[1].num_ones) / 200'000));
  CHECK(row.conditional_false_positive_rate ==
        Approx((run.rows[0].conditional_false_positive_rate +
                run.rows[1].conditional_false_positive_rate) /
               2));
}

TEST_CASE("summary: rows have theory and counts", "[verdict][summary]") {
  const SummaryRow row = summary_of(run_of({trial_with(0, 820)})).front();
  CHECK(row.expected_by == "exact");
  CHECK(*row.exact_false_positive_rate == theory::exact_rate_with_replacement(10'000, 100'000, 7));
  CHECK(row.expected_false_positive_rate == *row.exact_false_positive_rate);
  CHECK(*row.classic_false_positive_rate == theory::classic_rate(10'000, 100'000, 7));
  CHECK(*row.expected_fill_ratio == Approx(0.5034).epsilon(1e-3));
  CHECK(row.tested);
  CHECK(row.min_false_positives_p_value > 1e-4);
  CHECK(*row.min_fill_p_value > 1e-4);
  CHECK_FALSE(row.observed_rate_stddev);
}

TEST_CASE("summary: without an exact rate the approximation is named", "[verdict][summary]") {
  SmallTrial trial{.variant = "scalable",
                   .params = R"({"initial_capacity":1000})",
                   .spec = {.target_false_positive_rate = 0.01},
                   .num_keys = 3'000};
  trial.spec.params = {{"initial_capacity", 1000.0}};
  const SummaryRow row = summary_of(run_of({measure(trial)})).front();
  CHECK_FALSE(row.exact_false_positive_rate);
  CHECK(row.expected_by == "fluid");
  CHECK(row.expected_false_positive_rate > 0);
  CHECK_FALSE(row.min_fill_p_value);
  CHECK_FALSE(row.num_hashes);
}

TEST_CASE("summary: zero false positives give an upper bound", "[verdict][summary]") {
  const SummaryRow row = summary_of(run_of({trial_with(0, 0)})).front();
  CHECK(row.observed_false_positive_rate == 0);
  CHECK(row.interval_lower == 0);
  CHECK(row.interval_upper == Approx(1 - std::pow(0.025, 1e-5)));
}

TEST_CASE("summary: a table that doubled in some trials has the largest size",
          "[verdict][summary]") {
  std::vector<TrialRow> trials;
  std::uint64_t most_counters = 0;
  std::uint64_t most_bits = 0;
  for (std::uint64_t trial = 0; trial < 8; ++trial) {
    SmallTrial small{.variant = "d_left",
                     .probes = "digest_words",
                     .params = R"({"counter_bits":2,"max_capacity":1000,"remainder_bits":6})",
                     .spec = {.num_counters = 256, .num_hashes = 2},
                     .num_keys = 137,
                     .trial = trial};
    small.spec.params = {{"remainder_bits", 6.0}, {"max_capacity", 1000.0}};
    trials.push_back(measure(small));
    most_counters = std::max(most_counters, *trials.back().num_counters);
    most_bits = std::max(most_bits, trials.back().num_bits);
  }
  REQUIRE(std::ranges::any_of(trials, [](const auto& row) { return row.num_counters == 256U; }));
  REQUIRE(most_counters == 512);
  RunData run = run_of(trials);
  for (Unit& unit : run.units) unit.spec.num_counters = 256;  // of the table before it doubled
  const std::vector<SummaryRow> rows = summary_of(run);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().num_counters == most_counters);
  CHECK(rows.front().num_bits == most_bits);
  CHECK(rows.front().bits_per_key() == static_cast<double>(most_bits) / 137);
}

TEST_CASE("summary: the interval of repeated queries is that of the trials", "[verdict][summary]") {
  TrialRow first = trial_with(0, 800);
  TrialRow second = trial_with(1, 840);
  first.keys = second.keys = "zipf:1.2";
  const SummaryRow two = summary_of(run_of({first, second})).front();
  CHECK(two.interval_lower == Approx(0.0082 - 12.70620474 * 0.0002));  // t with 1 degree of freedom
  CHECK(two.interval_upper == Approx(0.0082 + 12.70620474 * 0.0002));
  TrialRow third = trial_with(2, 880);
  third.keys = "zipf:1.2";
  const SummaryRow three = summary_of(run_of({first, second, third})).front();
  const double error = 0.0004 / std::sqrt(3.0);
  CHECK(three.interval_upper == Approx(0.0084 + 4.30265273 * error));  // 2 degrees of freedom
  const SummaryRow one = summary_of(run_of({first})).front();
  CHECK(one.interval_lower == 0);
  CHECK(one.interval_upper == 1);
  first.num_false_positives = second.num_false_positives = 0;
  const SummaryRow no_false_positives = summary_of(run_of({first, second})).front();
  CHECK(no_false_positives.interval_upper == 1);
}

TEST_CASE("summary: a rate is exact only if the number of keys is known in every trial",
          "[verdict][summary]") {
  TrialRow known = trial_with(0, 820);
  TrialRow open = trial_with(1, 820);
  known.unit = "known";
  open.unit = "open";
  open.num_refused_erases = 3;
  for (const bool open_first : {false, true}) {
    RunData run = open_first ? run_of({open, known}) : run_of({known, open});
    for (Unit& unit : run.units) unit.churn = Churn{.rounds = 1, .erase = 0.5, .reinsert = 0};
    const std::vector<SummaryRow> rows = summary_of(run);
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().expected_by == "upper_bound");
    CHECK_FALSE(rows.front().exact_false_positive_rate);
  }
}

TEST_CASE("summary: points differ by churn and all columns except the trial",
          "[verdict][summary]") {
  TrialRow churned = trial_with(0, 820);
  churned.unit = "churned";
  TrialRow other_keys = trial_with(0, 820);
  other_keys.keys = "url";
  RunData run = run_of({trial_with(0, 820), churned, other_keys});
  run.units[1].churn = Churn{.rounds = 1, .erase = 0.5, .reinsert = 0};
  const std::vector<SummaryRow> rows = summary_of(run);
  REQUIRE(rows.size() == 3);
  CHECK(*rows[1].exact_false_positive_rate ==
        theory::exact_rate_with_replacement(5'000, 100'000, 7));
}

TEST_CASE("summary: without an exact number of keys after churn no rate is exact",
          "[verdict][summary]") {
  TrialRow row = trial_with(0, 820);
  RunData run = run_of({row});
  run.units.front().churn = Churn{.rounds = 1, .erase = 0.5, .reinsert = 0};
  CHECK(summary_of(run).front().expected_by == "exact");
  run.rows.front().num_refused_erases = 1;
  const SummaryRow open = summary_of(run).front();
  CHECK_FALSE(open.exact_false_positive_rate);
  CHECK_FALSE(open.expected_rate_stddev);
  CHECK(open.expected_by == "upper_bound");
  CHECK(open.expected_false_positive_rate ==
        theory::exact_rate_with_replacement(10'000, 100'000, 7));
}

TEST_CASE("summary: capacity and bits per key come from the point of the unit",
          "[verdict][summary]") {
  RunData run = run_of({trial_with(0, 820)});
  CHECK_FALSE(summary_of(run).front().capacity);
  run.units.front().points.front().capacity = 12'500;
  CHECK(summary_of(run).front().capacity == 12'500);
  CHECK_FALSE(summary_of(run).front().requested_bits_per_key);
  run.units.front().points.front().bits_per_key = 8.25;
  CHECK(summary_of(run).front().requested_bits_per_key == 8.25);
  CHECK_FALSE(summary_of(run).front().initial_capacity);
}

TEST_CASE("summary: bits per key are those of the filter, not the requested ones",
          "[verdict][summary]") {
  SummaryRow row;
  row.num_inserted = 500;
  row.num_bits = 12'032;
  row.requested_bits_per_key = 12;
  CHECK(row.bits_per_key() == 12'032.0 / 500);
  row.capacity = 1000;
  CHECK(row.bits_per_key() == 12.032);
  row.num_inserted = 0;
  CHECK(row.bits_per_key() == 12.032);
  row.target_false_positive_rate = 0.01;  // a filter that grows: the capacity is that of a stage
  CHECK_FALSE(row.bits_per_key());
  row.num_inserted = 500;
  CHECK(row.bits_per_key() == 12'032.0 / 500);
}

TEST_CASE("summary: a filter that grows has its initial capacity, given or not",
          "[verdict][summary]") {
  SmallTrial trial{.variant = "scalable",
                   .spec = {.target_false_positive_rate = 0.01},
                   .num_keys = 3'000,
                   .num_queries = 100};
  CHECK(summary_of(run_of({measure(trial)})).front().initial_capacity == 10'000);
  trial.params = R"({"initial_capacity":700})";
  trial.spec.params = {{"initial_capacity", 700.0}};
  CHECK(summary_of(run_of({measure(trial)})).front().initial_capacity == 700);
}

TEST_CASE("summary: trials of a table that doubles on its own are one point of any memory",
          "[verdict][summary]") {
  const bool doubles = GENERATE(false, true);
  SmallTrial trial{.variant = "d_left",
                   .probes = "digest_words",
                   .params = R"({"counter_bits":2,"remainder_bits":20})",
                   .spec = {.num_counters = 2'048,
                            .num_hashes = 4,
                            .params = {{"counter_bits", 2.0}, {"remainder_bits", 20.0}}},
                   .num_keys = 1'000,
                   .num_queries = 100};
  if (doubles) {
    trial.params = R"({"counter_bits":2,"max_capacity":4000,"remainder_bits":20})";
    trial.spec.params["max_capacity"] = 4'000.0;
  }
  TrialRow small = measure(trial);
  trial.trial = 1;
  TrialRow large = measure(trial);
  large.num_bits *= 2;
  const std::vector<SummaryRow> rows = summary_of(run_of({small, large}));
  REQUIRE(rows.size() == (doubles ? 1 : 2));
  CHECK(rows.back().num_bits == large.num_bits);
  CHECK(rows.back().has_growing_memory() == doubles);
  CHECK(rows.back().max_capacity == (doubles ? std::optional<std::uint64_t>(4'000) : std::nullopt));
  CHECK(rows.back().bits_per_key() == static_cast<double>(large.num_bits) / 1'000);
}

TEST_CASE("summary: rows are sorted by filter, size, n and k, whatever the ids of their units",
          "[verdict][summary]") {
  std::vector<TrialRow> rows;
  const auto add = [&](const char* variant, const char* params, std::uint64_t num_bits,
                       std::uint64_t n, std::uint64_t k) {
    SmallTrial trial = usual_trial();
    trial.num_queries = 10;
    trial.num_keys = 10;
    TrialRow row = measure(trial);
    row.variant = variant;
    row.params = params;
    row.num_bits = num_bits;
    row.num_inserted = n;
    row.num_hashes = k;
    row.set_probe_counts.clear();
    row.unit = std::string(1, static_cast<char>('z' - rows.size()));  // the reverse order
    rows.push_back(row);
  };
  add("blocked", R"({"block_bits":256})", 1024, 100, 3);
  add("blocked", R"({"block_bits":512})", 1024, 100, 3);
  add("standard", "{}", 1000, 5, 2);
  add("standard", "{}", 1000, 5, 10);
  add("standard", "{}", 1000, 40, 2);
  add("standard", "{}", 20'000, 5, 2);
  const std::vector<SummaryRow> sorted = summary_of(run_of(rows));
  REQUIRE(sorted.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    CHECK(sorted[i].variant == rows[i].variant);
    CHECK(sorted[i].params == rows[i].params);
    CHECK(sorted[i].num_bits == rows[i].num_bits);
    CHECK(sorted[i].num_inserted == rows[i].num_inserted);
    CHECK(sorted[i].num_hashes == rows[i].num_hashes);
  }
}

TEST_CASE("summary: only a rate that is exact for the filter is called exact",
          "[verdict][summary]") {
  const auto row_of = [](const std::string& variant, const std::string& probes, unsigned k) {
    SmallTrial trial = usual_trial();
    trial.variant = variant;
    trial.probes = probes;
    trial.spec = {.num_bits = 102'400};
    if (k > 0) trial.spec.num_hashes = k;
    return measure(trial);
  };
  const auto check = [](const SummaryRow& row, const std::string& formula) {
    INFO(row.variant << ", " << row.probes << ", " << row.hash);
    CHECK(row.expected_by == formula);
    CHECK(row.exact_false_positive_rate.has_value() == (formula == "exact"));
    CHECK(row.expected_false_positive_rate > 0);
  };
  const TrialRow standard = row_of("standard", "remix", 7);
  check(summary_of(run_of({standard})).front(), "exact");
  check(summary_of(run_of({row_of("standard", "double_mod", 7)})).front(), "independent_probes");
  check(summary_of(run_of({row_of("split_block", "parquet_salts", 0)})).front(),
        "independent_lanes");
  TrialRow weak = standard;
  weak.hash = "crc32";
  const SummaryRow of_weak = summary_of(run_of({weak})).front();
  check(of_weak, "uniform_hash");
  CHECK(of_weak.expected_false_positive_rate ==
        theory::exact_rate_with_replacement(10'000, 102'400, 7));
  TrialRow both = row_of("standard", "double_mod", 7);  // the weak hash is the first reason
  both.hash = "crc32";
  const SummaryRow of_both = summary_of(run_of({both})).front();
  check(of_both, "uniform_hash");
  CHECK(of_both.exemption_reason == "hash crc32 is marked weak");
}

TEST_CASE("summary: rows are sorted by churn before size, n and k", "[verdict][summary]") {
  std::vector<TrialRow> rows;
  for (const std::uint64_t num_false_positives : {800, 810, 820, 830}) {
    rows.push_back(trial_with(0, num_false_positives));
    rows.back().unit = std::to_string(num_false_positives);
  }
  RunData run = run_of(rows);
  run.units[0].churn = Churn{.rounds = 9, .erase = 0.1};
  run.units[1].churn = Churn{.rounds = 2, .erase = 0.2};
  run.units[2].churn = Churn{.rounds = 2, .erase = 0.1};
  const std::vector<SummaryRow> sorted = summary_of(run);
  REQUIRE(sorted.size() == 4);
  CHECK_FALSE(sorted[0].churn);
  CHECK(sorted[1].churn == run.units[2].churn);
  CHECK(sorted[2].churn == run.units[1].churn);
  CHECK(sorted[3].churn == run.units[0].churn);
}

TEST_CASE("summary: an exempt row has a reason", "[verdict][summary]") {
  SmallTrial trial = usual_trial();
  trial.probes = "triple_mod";
  const SummaryRow row = summary_of(run_of({measure(trial)})).front();
  CHECK_FALSE(row.tested);
  CHECK(row.exemption_reason == "probes triple_mod depart from their model by design");
}

TEST_CASE("summary.csv: header, absent values, quoting and doubles read back",
          "[verdict][summary]") {
  SummaryRow row{.variant = "counting",
                 .keys = "file:a,b.txt",
                 .hash = "xxh3",
                 .probes = "remix",
                 .params = R"({"counter_bits":4})",
                 .num_inserted = 5,
                 .num_bits = 40,
                 .num_counters = 10,
                 .churn = Churn{.rounds = 3, .erase = 0.2},
                 .interval_upper = 0.1};
  const std::string text = summary_csv(std::vector<SummaryRow>{row});
  const std::string header = text.substr(0, text.find('\n'));
  CHECK(
      header ==
      "variant,keys,hash,probes,params,num_inserted,num_bits,num_counters,num_hashes,"
      "target_false_positive_rate,churn_rounds,churn_erase,churn_reinsert,churn_wrongful_erases,"
      "capacity,initial_capacity,bits_per_key,requested_bits_per_key,num_trials,num_queries,"
      "num_false_positives,num_false_negatives,num_refused_inserts,observed_false_positive_rate,"
      "interval_lower,"
      "interval_upper,"
      "observed_rate_stddev,exact_false_positive_rate,expected_false_positive_rate,expected_by,"
      "classic_false_positive_rate,expected_rate_stddev,conditional_false_positive_rate,"
      "expected_fill_ratio,observed_fill_ratio,tested,exemption_reason,min_false_positives_p_value,"
      "min_fill_p_value,min_refused_inserts_p_value");
  CHECK(text.substr(header.size() + 1) ==
        "counting,\"file:a,b.txt\",xxh3,remix,\"{\"\"counter_bits\"\":4}\",5,40,10,,,3,0.2,0,0,,,8,"
        ",0,0,0,0,,"
        "0,0,"
        "0.1,,,0,,,,0,,0,false,,1,,\n");
}
