#pragma once

#include <cstdint>

#include "core/theory/block_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/lanes/lanes_filter.hpp"

namespace bloometry {

/// Functions of Theory<LanesFilter> that are compiled in a separate source, for the reason in the
/// comment of SplitBlockTheory.
struct LanesTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static theory::ClaimLaw claim_law(ProbeModel model, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& params);
  static double claim_rate(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                           const Params& params);
};

/// Theory of the lanes filter, model P. The rate of a block is the product of the fill ratios of
/// its eight lanes. The rate of the filter is the mean over the binomial distribution of the number
/// of keys in a block. The result is exact (theory 6.2, 64 bits per lane).
template <>
struct Theory<LanesFilter> : LanesTheory, BlockTheory<LanesFilter> {};

static_assert(HasTheory<LanesFilter> && HasRateRangeGivenCounts<LanesFilter>);

}  // namespace bloometry
