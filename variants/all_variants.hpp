#pragma once

#include "variants/blocked/blocked_filter.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"
#include "variants/blocked_counting/blocked_counting_theory.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/counting/counting_theory.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/partitioned/partitioned_theory.hpp"
#include "variants/scalable/scalable_filter.hpp"
#include "variants/scalable/scalable_theory.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/split_block/split_block_theory.hpp"
#include "variants/standard/standard_filter.hpp"
#include "variants/standard/standard_theory.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"
#include "variants/variable_increment/variable_increment_theory.hpp"
#include "variants/variant_list.hpp"

namespace bloometry {

/// THE list of variants. A new variant is its folder, its two includes above and its name here;
/// registry, conformance tests, command line and configs derive from it.
using AllVariants =
    VariantList<StandardFilter, PartitionedFilter, CountingFilter, ScalableFilter,
                VariableIncrementFilter, BlockedFilter, SplitBlockFilter, BlockedCountingFilter>;

}  // namespace bloometry
