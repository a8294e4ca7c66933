#pragma once

#include "core/theory/theory.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {

/// Standard filter, model W or D. Exact rates: theory 1.3, Bose et al. (2008) for W; hypergeometric
/// steps for D.
template <>
struct Theory<StandardFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts);
};

static_assert(HasTheory<StandardFilter> && HasRateGivenCounts<StandardFilter>);

}  // namespace bloometry
