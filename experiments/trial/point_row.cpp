#include "experiments/trial/point_row.hpp"

#include <algorithm>
#include <utility>

namespace bloometry {

std::uint64_t num_histogram_queries(const Point& point) noexcept {
  return std::min(point.num_queries, kMaxHistogramQueries);
}

TrialRow make_row(const Unit& unit, const Point& point, const FilterState& state,
                  PointCounts counts) {
  TrialRow row = {.unit = unit.id,
                  .variant = unit.variant,
                  .keys = unit.keys.name,
                  .hash = unit.hash,
                  .probes = unit.probes,
                  .params = unit.params,
                  .trial = unit.trial,
                  .num_inserted = point.num_inserted,
                  .num_bits = state.num_bits,
                  .num_counters = state.num_counters,
                  .target_false_positive_rate = unit.spec.target_false_positive_rate,
                  .num_queries = point.num_queries,
                  .num_false_positives = counts.num_false_positives,
                  .num_member_queries = counts.num_member_queries,
                  .num_false_negatives = counts.num_false_negatives,
                  .num_ones = state.num_ones,
                  .num_passing_pairs = state.num_passing_pairs,
                  .num_stored = state.num_stored,
                  .num_stages = state.num_stages,
                  .num_saturated = state.num_saturated,
                  .num_refused_inserts = counts.num_refused_inserts,
                  .num_refused_erases = state.num_refused_erases,
                  .num_skipped_decrements = state.num_skipped_decrements,
                  .conditional_false_positive_rate = state.conditional_false_positive_rate,
                  .set_probe_counts = std::move(counts.set_probe_counts)};
  if (point.num_hashes != 0) row.num_hashes = point.num_hashes;
  return row;
}

}  // namespace bloometry
