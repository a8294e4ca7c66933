#pragma once

#include <string_view>

#include "core/theory/theory.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

namespace bloometry {

/// Theory of the variable-increment filter with D_L, model W. The exact rate comes from the
/// occupancy chain over the pass table of theory 5.4. The theory has three approximations. The
/// approximation `paper` is the theorem of Rottenstreich et al. (2012), which assumes independent
/// counters (theory 5.3). The approximation `poisson` is the limit of `paper`. The approximation
/// `classic` is the rate of a counting filter with the same number of counters.
/// The predicted values do not include the effect of counters at the cap. The distribution of the
/// fill equals that of the standard filter. The variance of the rate between filters is computed by
/// the chain over 2k probes (core/theory/pass_variance.hpp). If the chain would be too slow, the
/// variance is computed to first order.
///
/// The functions are compiled in a separate source. The declarations of VariableIncrementTheory do
/// not contain the type of the filter, which is a different type in sources for different
/// instruction sets (core/isa/compiled_isa.hpp).
struct VariableIncrementTheory {
  static constexpr std::string_view kWhyNotClaimable =
      "neither the distribution of its rates over filters nor a bound is known";

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
