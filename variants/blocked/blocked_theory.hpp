#pragma once

#include "core/theory/block_mean.hpp"
#include "core/theory/theory.hpp"
#include "variants/blocked/blocked_filter.hpp"

namespace bloometry {

/// Blocked filter, model W or D: the exact in-block rate, averaged over the binomial number of keys
/// in a block (theory 6.1). The fill has a law only where it is normal: 10^4 zeros and 10^4 probes
/// on cells already hit expected.
template <>
struct Theory<BlockedFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static theory::RateRange rate_range_given_counts(const FilterSpec& spec, ProbeModel model,
                                                   const FilterState& counts);
};

static_assert(HasTheory<BlockedFilter> && HasRateRangeGivenCounts<BlockedFilter>);

}  // namespace bloometry
