#pragma once

#include "core/theory/block_mean.hpp"
#include "core/theory/theory.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"

namespace bloometry {

/// Blocked counting filter, model W or D: the rates of the blocked bit filter with as many cells
/// and blocks of 128, at the current number of keys (theory 3.3, 6.1). Counters stuck at 15 come on
/// top; they are rare (block_counter_tail) and not part of these values. The fill has a law only
/// where it is normal: 10^4 zeros and 10^4 probes on cells already hit expected.
template <>
struct Theory<BlockedCountingFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static theory::RateRange rate_range_given_counts(const FilterSpec& spec, ProbeModel model,
                                                   const FilterState& counts);
};

static_assert(HasTheory<BlockedCountingFilter> && HasRateRangeGivenCounts<BlockedCountingFilter>);

}  // namespace bloometry
