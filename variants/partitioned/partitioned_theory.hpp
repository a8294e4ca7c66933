#pragma once

#include "core/theory/cell_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/partitioned/partitioned_filter.hpp"

namespace bloometry {

/// Theory of the partitioned filter, model P. The exact rate is prod_i (1 - (1-1/w_i)^n) (theory
/// 1.3).
template <>
struct Theory<PartitionedFilter> : CellTheory<PartitionedFilter> {};

static_assert(HasTheory<PartitionedFilter> && !HasRateGivenCounts<PartitionedFilter>);

}  // namespace bloometry
