#pragma once

#include "core/theory/theory.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

namespace bloometry {

/// Theory of the variable-increment filter with D_L, model W. The exact rate comes from the
/// occupancy chain over the pass table of theory 5.4. The theory has three approximations. The
/// approximation `paper` is a theorem that assumes independent counters (Rottenstreich et al. 2012;
/// theory 5.3). The approximation `poisson` is the limit of `paper`. The approximation `classic` is
/// the rate of a counting filter with the same number of counters.
/// The predicted values do not include the effect of saturated counters. The distribution of the
/// fill is that of the standard filter. The spread of the rate between filters comes from the chain
/// over 2k probes (core/theory/pass_variance.hpp). If the chain is too slow, the spread comes from
/// its first order.
///
/// The functions of VariableIncrementTheory are compiled in a source file and do not name the type
/// of the filter. The filter is another type in sources for another instruction set
/// (core/isa/compiled_isa.hpp).
struct VariableIncrementTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts);
};

template <>
struct Theory<VariableIncrementFilter> : VariableIncrementTheory {};

static_assert(HasTheory<VariableIncrementFilter> && HasRateGivenCounts<VariableIncrementFilter>);

}  // namespace bloometry
