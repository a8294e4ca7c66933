#pragma once

#include "core/theory/cell_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/counting/counting_filter.hpp"

namespace bloometry {

/// Theory of the counting filter, model W or D. The rates and the fill equal those of the standard
/// filter with the same m and k at the current number of keys (theory 3.3). The values do not
/// include the effect of counters that stay at their maximum after erases, which are rare
/// (core/theory/counter_tails.hpp).
template <>
struct Theory<CountingFilter> : CellTheory<CountingFilter> {};

static_assert(HasTheory<CountingFilter> && HasRateGivenCounts<CountingFilter>);

}  // namespace bloometry
