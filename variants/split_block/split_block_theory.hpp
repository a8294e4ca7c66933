#pragma once

#include "core/theory/block_mean.hpp"
#include "core/theory/theory.hpp"
#include "variants/split_block/split_block_filter.hpp"

namespace bloometry {

/// Split-block filter, model P: the product of eight lane fills, averaged over the binomial number
/// of keys in a block, exact for lanes hashed ideally (theory 6.2). The fill has a law only where
/// it is normal: 10^4 zeros and 10^4 probes on bits already set expected.
template <>
struct Theory<SplitBlockFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static theory::RateRange rate_range_given_counts(const FilterSpec& spec, ProbeModel model,
                                                   const FilterState& counts);
};

static_assert(HasTheory<SplitBlockFilter> && HasRateRangeGivenCounts<SplitBlockFilter>);

}  // namespace bloometry
