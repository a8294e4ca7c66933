#pragma once

#include "variants/blocked/blocked_filter.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/scalable/scalable_filter.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

namespace bloometry {

/// A list of variants, each named by its filter with default probes and memory.
template <class... Filters>
struct VariantList {};

/// THE list of variants. A new variant is its folder, its include above, its name here, and its
/// theory's include in theory_registry.cpp; registry, conformance tests, command line and configs
/// derive from it.
using AllVariants = VariantList<StandardFilter, PartitionedFilter, CountingFilter, ScalableFilter,
                                VariableIncrementFilter, BlockedFilter, SplitBlockFilter,
                                LanesFilter, BlockedCountingFilter>;

}  // namespace bloometry
