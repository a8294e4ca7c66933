#pragma once

#include "variants/age_partitioned/age_partitioned_filter.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/cuckoo/cuckoo_filter.hpp"
#include "variants/d_left/d_left_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/rotating/rotating_filter.hpp"
#include "variants/scalable/scalable_filter.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

namespace bloometry {

/// A list of variants. The list contains the filter type of each variant with default probes and
/// memory.
template <class... Filters>
struct VariantList {};

/// The list of all variants. To add a variant, add its include and its name in this file, and the
/// include of its theory in theory_registry.cpp (variants/README.md). The registry, the conformance
/// tests, the command line and the configs use the list of all variants.
using AllVariants = VariantList<StandardFilter, PartitionedFilter, CountingFilter, ScalableFilter,
                                VariableIncrementFilter, BlockedFilter, SplitBlockFilter,
                                LanesFilter, BlockedCountingFilter, DLeftFilter, CuckooFilter,
                                RotatingFilter, AgePartitionedFilter>;

}  // namespace bloometry
