#pragma once

#include "core/theory/theory.hpp"
#include "variants/scalable/scalable_filter.hpp"

namespace bloometry {

/// Scalable filter. Exact exists for blind inserts with stage change by count only (theory 4), and
/// so do the law of the fill, its mean and the spread of the rate between filters; for the other
/// policies fluid stands in (within 0.3 % of simulation for first stages of 1000 keys) and no law
/// is known. design_bound: 1 - prod(1 - P_i) over the stages opened, always.
template <>
struct Theory<ScalableFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
};

static_assert(HasTheory<ScalableFilter>);

}  // namespace bloometry
