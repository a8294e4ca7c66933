#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/statistics/draws.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/sweep/run_sweep.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

constexpr double kRefusedFalseAlarm = 1e-6;
constexpr unsigned kSubtables = 4;
constexpr std::uint64_t kBuckets = 2048;

/// Returns a trial of a d-left filter with remainders of 40 bits, so that keys do not repeat.
SmallTrial overfull_trial(std::uint64_t num_keys, std::uint64_t trial = 0) {
  SmallTrial made{.variant = "d_left",
                  .probes = "digest_words",
                  .params = R"({"counter_bits":2,"remainder_bits":40})",
                  .spec = {.num_counters = kSubtables * kBuckets * 8, .num_hashes = kSubtables},
                  .num_keys = num_keys,
                  .num_queries = 1'000,
                  .trial = trial,
                  .seed = 5};
  made.spec.params = {{"counter_bits", 2.0}, {"remainder_bits", 40.0}};
  return made;
}

/// The rule of a table that may differ from that of d-left.
struct Rule {
  unsigned cells_per_bucket = 8;
  bool prefers_left = true;  ///< whether ties go to the left, and not to a random subtable
};

/// Returns the number of refused inserts of a table with the given rule.
std::uint64_t refused_by(const Rule& rule, std::uint64_t num_keys, std::uint64_t seed) {
  Draws draws(seed);
  std::vector<unsigned> loads(kSubtables * kBuckets);
  std::uint64_t num_refused = 0;
  for (std::uint64_t key = 0; key < num_keys; ++key) {
    unsigned* least = nullptr;
    std::uint64_t num_ties = 0;
    for (unsigned i = 0; i < kSubtables; ++i) {
      unsigned& load = loads[i * kBuckets + draws.next(kBuckets)];
      if (least != nullptr && load > *least) continue;
      if (least == nullptr || load < *least) {
        least = &load;
        num_ties = 1;
      } else if (++num_ties; !rule.prefers_left && draws.next(num_ties) == 0) {
        least = &load;
      }
    }
    if (*least == rule.cells_per_bucket) {
      ++num_refused;
    } else {
      ++*least;
    }
  }
  return num_refused;
}

/// Returns the row of a table with the given rule. Its counts agree with each other.
TrialRow row_of(const Rule& rule, std::uint64_t num_keys) {
  const SmallTrial trial = overfull_trial(num_keys);
  TrialRow row = measure(trial);
  row.num_refused_inserts = refused_by(rule, num_keys, 7);
  row.num_ones = num_keys - *row.num_refused_inserts;
  row.conditional_false_positive_rate =
      static_cast<double>(row.num_ones) / static_cast<double>(kBuckets << 40U);
  return row;
}

bool is_blamed(const Verdict& verdict) {
  const auto blames = [](const RowVerdict& row) {
    return row.deviates && row.why.find("refused inserts") != std::string::npos;
  };
  return std::any_of(verdict.rows.begin(), verdict.rows.end(), blames);
}

Verdict verdict_of(std::vector<TrialRow> rows) {
  return judge(run_of(std::move(rows)), kRefusedFalseAlarm);
}

constexpr std::uint64_t kCells = kSubtables * kBuckets * 8;

}  // namespace

TEST_CASE("refused_inserts: tables that double on their own are accepted at every load",
          "[verdict]") {
  std::vector<TrialRow> rows;
  for (const std::uint64_t num_keys : {49'152, 49'153, 60'000, 65'536, 98'304, 120'000}) {
    SmallTrial trial = overfull_trial(num_keys, rows.size());
    trial.params = R"({"counter_bits":2,"max_capacity":150000,"remainder_bits":40})";
    trial.spec.params["max_capacity"] = 150'000.0;
    rows.push_back(measure(trial));
    CHECK(rows.back().num_refused_inserts == 0);
  }
  RunData run = run_of(std::move(rows));
  for (Unit& unit : run.units) unit.spec.num_counters = kCells;  // of the table before it doubled
  CHECK(judge(run, kRefusedFalseAlarm).accepted());
}

TEST_CASE("refused_inserts: correct tables are accepted at every load", "[verdict]") {
  std::vector<TrialRow> rows;
  for (const double load : {0.5, 0.75, 0.85, 0.95, 1.0, 1.1, 1.5}) {
    const auto num_keys = static_cast<std::uint64_t>(load * static_cast<double>(kCells));
    rows.push_back(measure(overfull_trial(num_keys, rows.size())));
  }
  const Verdict verdict = verdict_of(rows);
  CHECK(verdict.accepted());
  for (const RowVerdict& row : verdict.rows) {
    INFO(row.row.num_inserted << ": " << row.refused_inserts_skipped_because);
    const double load = static_cast<double>(row.row.num_inserted) / static_cast<double>(kCells);
    CHECK(row.refused_inserts_p_value.has_value() == (load < 0.8 || load > 0.9));
    CHECK(row.expected_refused_inserts_sd.has_value() == (load > 0.9));
  }
  // The simulation of the planted faults gives the law too, if the table follows its rule.
  CHECK(verdict_of({row_of({}, kCells)}).accepted());
}

TEST_CASE("refused_inserts: a table that uses seven of eight cells is rejected", "[verdict]") {
  const Verdict verdict = verdict_of({row_of({.cells_per_bucket = 7}, kCells)});
  CHECK_FALSE(verdict.accepted());
  CHECK(is_blamed(verdict));
  // Below its capacity, a filter that refuses keys in several trials is rejected.
  const std::uint64_t num_keys = kCells * 6 / 8;
  std::vector<TrialRow> rows;
  for (std::uint64_t trial = 0; trial < 3; ++trial) {
    TrialRow row = measure(overfull_trial(num_keys, trial));
    row.num_refused_inserts = 1;
    --row.num_ones;
    row.conditional_false_positive_rate =
        static_cast<double>(row.num_ones) / static_cast<double>(kBuckets << 40U);
    rows.push_back(row);
  }
  CHECK(is_blamed(verdict_of(rows)));
  CHECK(verdict_of(rows).rows.front().refused_inserts_p_value == Approx(27e-18 / 6));
}

TEST_CASE("refused_inserts: a table that breaks ties at random is rejected", "[verdict]") {
  // At 7.5 keys per bucket, a table with ties to the left refuses 14 keys, and this table 80.
  const Verdict verdict = verdict_of({row_of({.prefers_left = false}, kCells / 16 * 15)});
  CHECK_FALSE(verdict.accepted());
  CHECK(is_blamed(verdict));
}

TEST_CASE("refused_inserts: a number that is too large by one is rejected", "[verdict]") {
  for (const std::uint64_t num_keys : {kCells * 9 / 10, kCells, 2 * kCells}) {
    TrialRow row = measure(overfull_trial(num_keys));
    CHECK(verdict_of({row}).accepted());
    ++*row.num_refused_inserts;
    const Verdict verdict = verdict_of({row});
    CHECK_FALSE(verdict.accepted());
    CHECK(is_blamed(verdict));
  }
}

TEST_CASE("refused_inserts: without a law, a table does not hold more keys than cells",
          "[verdict]") {
  TrialRow row = measure(overfull_trial(3 * kCells));
  const Verdict verdict = verdict_of({row});
  CHECK(verdict.accepted());
  CHECK_FALSE(verdict.rows.front().expected_refused_inserts);
  *row.num_refused_inserts /= 2;
  const Verdict halved = verdict_of({row});
  CHECK_FALSE(halved.accepted());
  CHECK(is_blamed(halved));
  CHECK(halved.rows.front().why.find("but the keys have more different fingerprints") !=
        std::string::npos);
}

TEST_CASE("refused_inserts: correct tables with short remainders are accepted",
          "[verdict][sweep]") {
  // A refused fingerprint repeats, and the number of different fingerprints varies.
  const TempFolder temp;
  const Config config = config_from_json({{"name", "short_remainders"},
                                          {"trials", 1000},
                                          {"queries", 100},
                                          {"seed", 5},
                                          {"grids",
                                           {{{"variant", "d_left"},
                                             {"num_hashes", 8},
                                             {"num_counters", 2048},
                                             {"num_keys", 2304},
                                             {"params", {{"remainder_bits", 8}}}}}}});
  const SweepOutcome outcome =
      run_sweep(config, {.folder = temp / "run"}, false, [](const SweepProgress&) {});
  REQUIRE(outcome.num_rows == 1000);
  const Verdict verdict = judge(read_run(temp / "run"), kRefusedFalseAlarm);
  CHECK(verdict.accepted());
  std::uint64_t most = 0;
  for (const RowVerdict& row : verdict.rows) {
    most = std::max(most, row.row.num_refused_inserts.value());
  }
  CHECK(most >= 20);  // the expected number is 2.7
}

TEST_CASE("refused_inserts: rows without a law state the reason", "[verdict]") {
  TrialRow row = measure(overfull_trial(kCells));
  row.num_refused_inserts.reset();
  CHECK(verdict_of({row}).rows.front().refused_inserts_skipped_because ==
        "an older version wrote the row, without the column");
  CHECK(verdict_of({measure(usual_trial())}).rows.front().refused_inserts_skipped_because ==
        kNotLimited);
}

TEST_CASE("refused_inserts: a point with refused inserts does not have an exact rate",
          "[verdict][summary]") {
  const Verdict verdict = verdict_of({measure(overfull_trial(kCells))});
  const SummaryRow point = summarise(verdict).front();
  CHECK(point.num_refused_inserts.value() > 0);
  CHECK(point.expected_by == "upper_bound");
  CHECK_FALSE(point.exact_false_positive_rate);
  CHECK(point.min_refused_inserts_p_value);
  CHECK_FALSE(point.min_fill_p_value);
  CHECK(point.expected_false_positive_rate >= point.conditional_false_positive_rate);
}

TEST_CASE("refused_inserts: sweeps of overfull tables are accepted", "[verdict][sweep]") {
  const TempFolder temp;
  const auto grid = [](const std::string& variant) {
    return nlohmann::json{
        {"variant", variant}, {"num_keys", {1000, 3500, 4096, 5000}}, {"num_counters", 4096}};
  };
  nlohmann::json d_left = grid("d_left");
  d_left["num_hashes"] = {2, 4};
  const Config config = config_from_json({{"name", "overfull"},
                                          {"trials", 3},
                                          {"queries", 2000},
                                          {"grids", {d_left, grid("cuckoo")}}});
  const SweepOutcome outcome =
      run_sweep(config, {.folder = temp / "run"}, false, [](const SweepProgress&) {});
  REQUIRE(outcome.num_rows == 36);
  const Verdict verdict = judge(read_run(temp / "run"), kRefusedFalseAlarm);
  CHECK(verdict.accepted());
  std::uint64_t num_tested = 0;
  for (const RowVerdict& row : verdict.rows) {
    INFO(row.row.variant << " " << row.row.num_inserted);
    CHECK(row.row.num_refused_inserts.has_value());
    const bool is_overfull = row.row.num_inserted > 4096;
    if (is_overfull) CHECK(row.row.num_refused_inserts.value() > 0);
    num_tested += row.refused_inserts_p_value ? 1U : 0U;
    if (row.row.variant == "cuckoo" && is_overfull) {
      CHECK(row.refused_inserts_skipped_because ==
            "the law of a cuckoo table above its capacity is not known");
    }
  }
  CHECK(num_tested >= 18);
}
