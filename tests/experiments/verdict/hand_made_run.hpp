#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/handle/any_filter.hpp"
#include "core/hash/mix.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/rows/trial_row.hpp"
#include "tests/support/digests.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {

/// A trial as small as can be: what it measures is what the row says, or what a fault makes of it.
struct SmallTrial {
  std::string variant = "standard";
  std::string probes = "remix";
  std::string params = "{}";
  FilterSpec spec{};
  std::uint64_t num_keys = 0;
  std::uint64_t num_queries = 100'000;
  std::uint64_t trial = 0;
  std::uint64_t seed = 0;
};

inline std::uint64_t hash_seed(const SmallTrial& trial) {
  return mix64(trial.seed * 1000 + trial.trial);
}

inline std::vector<Digest> members_of(const SmallTrial& trial) {
  return member_digests(trial.num_keys, hash_seed(trial));
}

/// The row of a filter that holds exactly these members of the trial.
inline TrialRow measure_filled(const AnyFilter& filter, const SmallTrial& trial,
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

inline TrialRow measure(AnyFilter filter, const SmallTrial& trial) {
  const std::vector<Digest> members = members_of(trial);
  filter.insert(members);
  return measure_filled(filter, trial, members);
}

inline TrialRow measure(const SmallTrial& trial) {
  return measure(make_filter(trial.variant, trial.probes, trial.spec), trial);
}

inline Params params_of(const std::string& json) {
  Params params;
  const nlohmann::json object = nlohmann::json::parse(json);
  for (const auto& [name, value] : object.items()) {
    params[name] =
        value.is_number() ? ParamValue(value.get<double>()) : ParamValue(value.get<std::string>());
  }
  return params;
}

/// The unit that such a row is of.
inline Unit unit_of(const TrialRow& row) {
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

/// A complete run of these rows, one unit each.
inline RunData run_of(std::vector<TrialRow> rows) {
  RunData run;
  run.folder = "hand-made";
  run.num_units = rows.size();
  run.num_finished_units = rows.size();
  for (const TrialRow& row : rows) run.units.push_back(unit_of(row));
  run.rows = std::move(rows);
  return run;
}

/// An honest standard row at (n, m, k) = (10^4, 10^5, 7), where the fill has sd 88 of 50,340.
inline SmallTrial usual_trial(std::uint64_t seed = 1) {
  return {.spec = {.num_bits = 100'000, .num_hashes = 7}, .num_keys = 10'000, .seed = seed};
}

}  // namespace bloometry::test
