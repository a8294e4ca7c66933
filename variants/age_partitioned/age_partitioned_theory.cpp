#include "variants/age_partitioned/age_partitioned_theory.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "variants/age_partitioned/age_partitioned_rates.hpp"
#include "variants/age_partitioned/age_partitioned_settings.hpp"
#include "variants/age_partitioned/age_partitioned_variance.hpp"

namespace bloometry {
namespace {

/// Returns the number of insert calls that wrote each slice. Without rotations, all of them wrote
/// the k youngest slices.
std::vector<std::uint64_t> loads_of(const AgeSettings& settings, std::uint64_t num_inserts) {
  if (settings.rotates_on_inserts) return slice_loads(settings.shape, num_inserts);
  std::vector<std::uint64_t> loads(settings.shape.num_slices());
  for (unsigned age = 0; age < settings.shape.num_hashes; ++age) loads[age] = num_inserts;
  return loads;
}

double fill_ratio(const std::vector<theory::SliceFill>& fills) {
  double sum = 0;
  for (const theory::SliceFill& fill : fills) sum += fill.mean;
  return sum / static_cast<double>(fills.size());
}

}  // namespace

Prediction AgePartitionedTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                         std::uint64_t num_keys) {
  const AgeSettings settings = age_settings(spec);
  const std::vector<std::uint64_t> loads = loads_of(settings, num_keys);
  const std::vector<theory::SliceFill> fills = theory::slice_fills(settings.shape, loads);
  return {.exact = age_partitioned_rate(settings.shape, loads),
          .expected_fill_ratio = fill_ratio(fills),
          .rate_stddev = std::sqrt(theory::run_rate_variance(fills, settings.shape.num_hashes))};
}

double AgePartitionedTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                           std::uint64_t num_keys) {
  const AgeSettings settings = age_settings(spec);
  return age_partitioned_rate(settings.shape, loads_of(settings, num_keys));
}

std::optional<theory::FillLaw> AgePartitionedTheory::fill_law(const FilterSpec& spec,
                                                              ProbeModel /*model*/,
                                                              std::uint64_t num_keys) {
  const AgeSettings settings = age_settings(spec);
  std::vector<theory::SliceGroup> slices;
  for (const std::uint64_t load : loads_of(settings, num_keys)) {
    if (!slices.empty() && slices.back().num_keys == load) {
      ++slices.back().num_slices;
    } else {
      slices.push_back({.num_keys = load, .slice_bits = settings.shape.slice_bits});
    }
  }
  return theory::FillLaw(slices);
}

PhaseRates AgePartitionedTheory::phase_rates(const FilterSpec& spec, ProbeModel /*model*/) {
  return theory::phase_rates(age_settings(spec).shape);
}

WorstPhase AgePartitionedTheory::worst_phase(const FilterSpec& spec, ProbeModel /*model*/) {
  const AgeShape shape = age_settings(spec).shape;
  return {.rate = worst_age_partitioned_rate(shape), .num_held = shape.num_held()};
}

}  // namespace bloometry
