#pragma once

#include "core/theory/theory.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"

namespace bloometry {

/// Theory of the blocked counting filter, model W or D. The rates equal those of a blocked filter
/// with blocks of 128 bits at the current number of keys (theory 3.3). The rates do not include the
/// effect of counters that stay at 15 after erases, which are rare (block_counter_tail).
template <>
struct Theory<BlockedCountingFilter> : BlockedTheory<BlockedCountingFilter> {};

static_assert(HasTheory<BlockedCountingFilter> && HasRateRangeGivenCounts<BlockedCountingFilter>);

}  // namespace bloometry
