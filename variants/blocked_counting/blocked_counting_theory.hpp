#pragma once

#include "core/theory/theory.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"

namespace bloometry {

/// Blocked counting filter, model W or D: the rates of the blocked bit filter with as many cells
/// and blocks of 128, at the current number of keys (theory 3.3, 6.1). Counters stuck at 15 come on
/// top; they are rare (block_counter_tail) and not part of these values.
template <>
struct Theory<BlockedCountingFilter> : BlockedTheory<BlockedCountingFilter> {};

static_assert(HasTheory<BlockedCountingFilter> && HasRateRangeGivenCounts<BlockedCountingFilter>);

}  // namespace bloometry
