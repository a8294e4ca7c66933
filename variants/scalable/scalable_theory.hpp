#pragma once

#include <string_view>

#include "core/theory/theory.hpp"
#include "variants/scalable/scalable_filter.hpp"

namespace bloometry {

/// Theory of the scalable filter. For blind inserts with stage change by count, it gives the exact
/// rate, the law of the fill (theory 4) and the spread of the rate between filters. For other
/// policies, it gives the approximation `fluid` of the rate, whose errors are listed in
/// core/theory/growing_rate.hpp; the law of the fill is unknown. For all policies, `design_bound`
/// is 1 - prod(1 - P_i) over the opened stages.
struct ScalableTheory {
  static constexpr std::string_view kWhyNotClaimable =
      "neither the distribution of its rates over filters nor a bound is known";

  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
};

/// All instruction sets for which a source may be compiled share the functions of ScalableTheory
/// (core/isa/compiled_isa.hpp).
template <>
struct Theory<ScalableFilter> : ScalableTheory {};

static_assert(HasTheory<ScalableFilter>);

}  // namespace bloometry
