#pragma once

#include "core/theory/cell_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {

/// Theory of the standard filter, model W or D. For model W, theory 1.3 gives the exact rate (Bose
/// et al. 2008). For model D, the exact rate comes from a chain with hypergeometric steps.
template <>
struct Theory<StandardFilter> : CellTheory<StandardFilter> {};

static_assert(HasTheory<StandardFilter> && HasRateGivenCounts<StandardFilter>);

}  // namespace bloometry
