#pragma once

#include "core/theory/theory.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

namespace bloometry {

/// Variable-increment filter with D_L, model W. Exact: the occupancy chain over the pass table of
/// theory 5.4; paper: the theorem of Rottenstreich et al. (2012), independent counters (5.3);
/// poisson: its limit; classic: the counting filter with as many counters. Saturation is not part
/// of these values. Fill: as the standard filter's. Spread between filters: the chain over 2k
/// probes, or to first order where that costs too much (core/theory/pass_variance.hpp).
template <>
struct Theory<VariableIncrementFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts);
};

static_assert(HasTheory<VariableIncrementFilter> && HasRateGivenCounts<VariableIncrementFilter>);

}  // namespace bloometry
