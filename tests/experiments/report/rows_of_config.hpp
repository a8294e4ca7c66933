#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/statistics/binomial_interval.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/verdict/summary.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {

/// Sets the made-up counts of a row and its theory. Filters that grow have an approximation.
inline void set_rates(SummaryRow& row, std::size_t number) {
  const auto n = static_cast<double>(row.num_inserted);
  const auto m = static_cast<double>(row.num_counters.value_or(row.num_bits));
  const auto k = static_cast<double>(row.num_hashes.value_or(8));
  const double rate =
      row.target_false_positive_rate.value_or(std::pow(1 - std::exp(-k * n / m), k));
  row.expected_false_positive_rate = row.num_inserted == 0 ? 0 : rate;
  if (!row.target_false_positive_rate) {
    row.exact_false_positive_rate = row.expected_false_positive_rate;
    row.classic_false_positive_rate = row.expected_false_positive_rate;
    row.expected_fill_ratio = 1 - std::exp(-k * n / m);
  }
  row.expected_by = row.exact_false_positive_rate ? "exact" : "fluid";
  row.observed_fill_ratio = row.expected_fill_ratio.value_or(0.4);
  row.conditional_false_positive_rate = row.expected_false_positive_rate;
  const auto queries = static_cast<double>(row.num_queries);
  const double factor = 0.9 + 0.02 * static_cast<double>(number % 10);
  row.num_false_positives = std::min(
      row.num_queries, static_cast<std::uint64_t>(
                           std::llround(queries * row.expected_false_positive_rate * factor)));
  row.observed_false_positive_rate = static_cast<double>(row.num_false_positives) / queries;
  const auto interval = statistics::clopper_pearson(row.num_false_positives, row.num_queries, 0.05);
  row.interval_lower = interval.lower;
  row.interval_upper = interval.upper;
}

/// Sets the stream of a row, with made-up counts.
inline void set_stream(SummaryRow& row, const std::optional<ItemStream>& stream,
                       std::size_t number) {
  row.stream = stream;
  if (!stream) return;
  row.num_originals = row.num_inserted / 2;
  row.num_originals_stopped = std::min<std::uint64_t>(*row.num_originals, 1 + number);
  row.num_duplicates = row.num_inserted - *row.num_originals;
  row.num_duplicates_passed = *row.num_duplicates / (1 + number);
  row.num_held_duplicates = *row.num_duplicates - *row.num_duplicates_passed;
  row.num_lost_duplicates = 0;
}

inline SummaryRow row_of(const Unit& unit, const Point& point, std::size_t number) {
  SummaryRow row{.variant = unit.variant,
                 .keys = unit.keys.name,
                 .hash = unit.hash,
                 .probes = unit.probes,
                 .params = unit.params};
  row.num_inserted = point.num_inserted;
  row.num_counters = unit.spec.num_counters;
  row.target_false_positive_rate = unit.spec.target_false_positive_rate;
  row.num_bits = row.target_false_positive_rate
                     ? 64 + 16 * point.num_inserted
                     : find_variant(unit.variant).geometry(point_spec(unit, point)).num_bits();
  if (point.num_hashes != 0) row.num_hashes = point.num_hashes;
  row.churn = unit.churn;
  row.window = unit.window;
  row.capacity = point.capacity;
  row.initial_capacity = find_variant(unit.variant).initial_capacity(point_spec(unit, point));
  row.requested_bits_per_key = point.bits_per_key;
  row.num_trials = 1;
  row.num_queries = point.num_queries;
  row.tested = true;
  set_rates(row, number);
  set_stream(row, unit.stream, number);
  return row;
}

/// Returns a summary row with made-up counts for each point of the config, without running it.
inline std::vector<SummaryRow> rows_of_config(const Config& config) {
  std::vector<SummaryRow> rows;
  for (const Unit& unit : expand(config)) {
    if (unit.trial != 0) continue;
    for (const Point& point : unit.points) rows.push_back(row_of(unit, point, rows.size()));
  }
  return rows;
}

}  // namespace bloometry::test
