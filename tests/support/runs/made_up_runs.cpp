#include "tests/support/runs/made_up_runs.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/hash/mix.hpp"
#include "core/statistics/binomial_interval.hpp"
#include "tests/support/digests.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {
namespace {

constexpr std::uint64_t kCapacity = 100'000;

double classic_rate(double n, double m, double k) {
  return std::pow(1 - std::exp(-k * n / m), k);
}

/// Returns a pseudo-random deviation in (-1.5, 1.5) that depends only on i.
double scatter(std::size_t i) {
  return 3 * (std::fmod(static_cast<double>(i) * 0.618033988749895, 1.0) - 0.5);
}

HandMadeRun wrap(std::vector<SummaryRow> rows, const std::string& name,
                 const std::string& question) {
  HandMadeRun made;
  made.run.folder = name;
  made.run.config.name = name;
  made.run.config.question = question;
  made.run.manifest = {{"version", "0.1.0"}, {"cpu", {{"model", "a hand-made CPU"}}}};
  made.run.num_units = rows.size();
  made.run.num_finished_units = rows.size();
  made.rows = std::move(rows);
  add_trials(made, 20);
  return made;
}

Params params_of(const std::string& json) {
  Params params;
  const nlohmann::json object = nlohmann::json::parse(json);
  for (const auto& [name, value] : object.items()) {
    params[name] =
        value.is_number() ? ParamValue(value.get<double>()) : ParamValue(value.get<std::string>());
  }
  return params;
}

/// Returns the unit to which a made-up row belongs.
Unit unit_of(const TrialRow& row) {
  Unit unit{.id = row.unit,
            .variant = row.variant,
            .keys = {.name = row.keys},
            .hash = row.hash,
            .probes = row.probes,
            .spec = {.target_false_positive_rate = row.target_false_positive_rate,
                     .num_counters = row.num_counters,
                     .params = params_of(row.params)},
            .params = row.params};
  if (!row.target_false_positive_rate && !row.num_counters) unit.spec.num_bits = row.num_bits;
  unit.points = {
      {row.num_inserted, static_cast<unsigned>(row.num_hashes.value_or(0)), row.num_queries}};
  return unit;
}

}  // namespace

Config small_config(const std::string& name, std::uint64_t trials) {
  return config_from_json({{"name", name},
                           {"trials", trials},
                           {"queries", 1000},
                           {"grids",
                            {{{"variant", "counting"},
                              {"num_keys", {10, 20}},
                              {"num_counters", {64, 128, 256}},
                              {"num_hashes", 2}}}}});
}

UnitResult made_up_result(const Unit& unit) {
  UnitResult result;
  result.timing = {.unit = unit.id, .engine = "direct", .num_points = unit.points.size()};
  result.timing.total_s = 0.1;
  for (const Point& point : unit.points) {
    TrialRow row;
    row.unit = unit.id;
    row.variant = unit.variant;
    row.keys = unit.keys.name;
    row.hash = unit.hash;
    row.probes = unit.probes;
    row.params = unit.params;
    row.trial = unit.trial;
    row.num_inserted = point.num_inserted;
    row.num_member_queries = point.num_inserted;  // all members are queried
    row.num_counters = unit.spec.num_counters;
    row.num_bits = find_variant(unit.variant).geometry(point_spec(unit, point)).num_bits();
    row.num_hashes = point.num_hashes;
    row.num_queries = point.num_queries;
    row.num_false_positives = point.num_inserted * 7;
    row.num_saturated = 0;
    row.conditional_false_positive_rate = 0.1 * static_cast<double>(point.num_inserted) / 3;
    result.rows.push_back(row);
  }
  return result;
}

std::uint64_t hash_seed(const SmallTrial& trial) {
  return mix64(trial.seed * 1000 + trial.trial);
}

std::vector<Digest> members_of(const SmallTrial& trial) {
  return member_digests(trial.num_keys, hash_seed(trial));
}

TrialRow measure_filled(const AnyFilter& filter, const SmallTrial& trial,
                        std::span<const Digest> members) {
  const FilterState state = filter.state();
  const std::vector<Digest> queries = nonmember_digests(trial.num_queries, hash_seed(trial));
  TrialRow row = {.unit = trial.variant + std::to_string(trial.trial),
                  .variant = trial.variant,
                  .keys = "sequential",
                  .hash = "xxh3",
                  .probes = trial.probes,
                  .params = trial.params,
                  .trial = trial.trial,
                  .num_inserted = trial.num_keys,
                  .num_bits = state.num_bits,
                  .num_counters = state.num_counters,
                  .target_false_positive_rate = trial.spec.target_false_positive_rate,
                  .num_queries = trial.num_queries,
                  .num_false_positives = filter.count_positives(queries),
                  .num_member_queries = members.size(),
                  .num_false_negatives = members.size() - filter.count_positives(members),
                  .num_ones = state.num_ones,
                  .num_passing_pairs = state.num_passing_pairs,
                  .num_stored = state.num_stored,
                  .num_stages = state.num_stages,
                  .num_saturated = state.num_saturated,
                  .num_refused_erases = state.num_refused_erases,
                  .num_skipped_decrements = state.num_skipped_decrements,
                  .conditional_false_positive_rate = state.conditional_false_positive_rate};
  if (trial.spec.num_hashes) row.num_hashes = *trial.spec.num_hashes;
  if (filter.can_count_probes()) {
    row.set_probe_counts.resize(*trial.spec.num_hashes + 1);
    filter.count_set_probes(
        std::span(queries).first(std::min<std::uint64_t>(queries.size(), kMaxHistogramQueries)),
        row.set_probe_counts);
  }
  return row;
}

TrialRow measure(AnyFilter filter, const SmallTrial& trial) {
  std::vector<Digest> members = members_of(trial);
  if (!filter.is_limited()) {
    filter.insert(members);
    return measure_filled(filter, trial, members);
  }
  std::erase_if(members, [&](const Digest& key) { return filter.try_insert({&key, 1}).is_full; });
  TrialRow row = measure_filled(filter, trial, members);
  row.num_refused_inserts = trial.num_keys - members.size();
  return row;
}

TrialRow measure(const SmallTrial& trial) {
  return measure(make_filter(trial.variant, trial.probes, trial.spec), trial);
}

SmallTrial usual_trial(std::uint64_t seed) {
  return {.spec = {.num_bits = 100'000, .num_hashes = 7}, .num_keys = 10'000, .seed = seed};
}

RunData run_of(std::vector<TrialRow> rows) {
  RunData run;
  run.folder = "hand-made";
  run.num_units = rows.size();
  run.num_finished_units = rows.size();
  for (const TrialRow& row : rows) run.units.push_back(unit_of(row));
  run.rows = std::move(rows);
  return run;
}

SummaryRow make_row(std::uint64_t n, double bits_per_key, std::uint64_t k,
                    std::uint64_t num_queries, double excess) {
  SummaryRow row;
  row.variant = "standard";
  row.keys = "random";
  row.hash = "xxh3";
  row.probes = "remix";
  row.params = "{}";
  row.num_inserted = n;
  row.num_bits = static_cast<std::uint64_t>(std::llround(bits_per_key * kCapacity));
  row.num_hashes = k;
  row.capacity = kCapacity;
  row.num_trials = 2;
  row.num_queries = num_queries;
  const double rate = classic_rate(static_cast<double>(n), static_cast<double>(row.num_bits),
                                   static_cast<double>(k));
  const auto queries = static_cast<double>(num_queries);
  const double false_positives = queries * rate + excess * std::sqrt(queries * rate * (1 - rate));
  row.num_false_positives = static_cast<std::uint64_t>(std::clamp(false_positives, 0.0, queries));
  row.observed_false_positive_rate = static_cast<double>(row.num_false_positives) / queries;
  const auto interval = statistics::clopper_pearson(row.num_false_positives, row.num_queries, 0.05);
  row.interval_lower = interval.lower;
  row.interval_upper = interval.upper;
  row.exact_false_positive_rate = rate * 1.0005;
  row.expected_false_positive_rate = rate * 1.0005;
  row.expected_by = "exact";
  row.classic_false_positive_rate = rate;
  row.conditional_false_positive_rate = rate;
  row.expected_fill_ratio = std::pow(rate, 1.0 / static_cast<double>(k));
  row.observed_fill_ratio = *row.expected_fill_ratio;
  row.tested = true;
  row.min_false_positives_p_value = 0.5;
  row.min_fill_p_value = 0.4;
  return row;
}

HandMadeRun grid_run(const std::vector<double>& loads, const std::vector<double>& sizes,
                     const std::vector<std::uint64_t>& hashes) {
  std::vector<SummaryRow> rows;
  for (const char* variant : {"standard", "counting"}) {
    for (const double load : loads) {
      for (const double size : sizes) {
        for (const std::uint64_t k : hashes) {
          const auto n = static_cast<std::uint64_t>(std::llround(load * kCapacity));
          rows.push_back(make_row(n, size, k, 1'000'000, scatter(rows.size())));
          rows.back().variant = variant;
        }
      }
    }
  }
  return wrap(std::move(rows), "grid", "Does the measured rate follow theory?");
}

HandMadeRun large_run() {
  return grid_run({0.1, 0.3, 0.5, 0.7, 1, 1.5, 2, 3}, {4, 6, 8, 10, 12, 16},
                  {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

HandMadeRun one_series_run() {
  std::vector<SummaryRow> rows;
  for (const std::uint64_t n : {20'000U, 50'000U, 100'000U, 200'000U, 300'000U}) {
    rows.push_back(make_row(n, 8, 5, 100'000, scatter(n)));
  }
  return wrap(std::move(rows), "one_series", "How does one filter fill?");
}

HandMadeRun hundred_facets_run() {
  std::vector<SummaryRow> rows;
  for (int source = 0; source < 100; ++source) {
    for (const std::uint64_t k : {2U, 4U, 6U, 8U}) {
      rows.push_back(make_row(kCapacity, 8, k, 100'000, scatter(rows.size())));
      rows.back().keys = "file:a/rather/long/path/to/keys_" + std::to_string(source) + ".txt";
    }
  }
  HandMadeRun made = wrap(std::move(rows), "hundred_facets", "Do a hundred key files differ?");
  made.run.config.charts = {{.chart = "rate_vs_num_hashes", .x = {}, .facet = {}}};
  return made;
}

HandMadeRun hostile_run() {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8}, {2, 4, 6});
  const std::string attack =
      "</script><script>window.hacked=1</script><img src=x "
      "onerror='window.hacked=1'>\"{{css}}&amp;";
  made.run.config.question = attack + "\xff\xfe";
  made.run.config.name = attack;
  made.run.manifest["cpu"]["model"] = attack;
  for (SummaryRow& row : made.rows) {
    row.keys = "file:" + attack;
    if (row.variant == "counting") row.variant = "x'\"]<b>" + attack;
    row.params = "{\"name\":\"<img src=x onerror=window.hacked=1>\"}";
  }
  made.rows.front().tested = false;
  made.rows.front().exemption_reason = attack;
  made.verdict.exempt[attack] = 1;
  made.verdict.rows.front().deviates = true;
  made.verdict.rows.front().why = attack;
  made.verdict.num_deviations = 1;
  return made;
}

HandMadeRun empty_run() {
  HandMadeRun made = wrap({}, "empty", "What does nothing look like?");
  made.verdict = Verdict{};
  return made;
}

void add_trials(HandMadeRun& made, std::size_t num_trials) {
  made.verdict.rows.clear();
  if (made.rows.empty()) return;
  for (std::size_t i = 0; i < num_trials; ++i) {
    const SummaryRow& source = made.rows[i % made.rows.size()];
    RowVerdict verdict;
    verdict.row.variant = source.variant;
    verdict.row.keys = source.keys;
    verdict.row.hash = source.hash;
    verdict.row.probes = source.probes;
    verdict.row.params = source.params;
    verdict.row.trial = i;
    verdict.row.num_inserted = source.num_inserted;
    verdict.row.num_bits = source.num_bits;
    verdict.row.num_hashes = source.num_hashes;
    verdict.row.num_queries = source.num_queries;
    verdict.row.num_false_positives = source.num_false_positives;
    verdict.context.churn = source.churn;
    verdict.context.window = source.window;
    verdict.context.stream = source.stream;
    verdict.expected_false_positives =
        static_cast<double>(source.num_queries) * source.conditional_false_positive_rate;
    verdict.tested = true;
    verdict.false_positives_p_value =
        (static_cast<double>(i) + 0.5) / static_cast<double>(num_trials);
    made.verdict.rows.push_back(verdict);
  }
  made.verdict.num_tested_rows = num_trials;
  made.verdict.num_tests = num_trials;
  made.verdict.threshold = made.verdict.false_alarm / static_cast<double>(num_trials);
}

}  // namespace bloometry::test
