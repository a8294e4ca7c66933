#pragma once

#include "core/theory/cell_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {

/// Theory of the standard filter, model W or D. The exact rate is that of Bose et al. (2008) for
/// model W (theory 1.3) and follows from hypergeometric steps for model D.
template <>
struct Theory<StandardFilter> : CellTheory<StandardFilter> {};

static_assert(HasTheory<StandardFilter> && HasRateGivenCounts<StandardFilter>);

}  // namespace bloometry
