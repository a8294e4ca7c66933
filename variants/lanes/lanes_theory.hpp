#pragma once

#include "core/theory/block_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/lanes/lanes_filter.hpp"

namespace bloometry {

/// The functions of the theory of lanes that lanes_theory.cpp defines, as in SplitBlockTheory.
struct LanesTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
};

/// Theory of the lanes filter, model P. The rate is the product of the fill ratios of the eight
/// lanes, averaged over the binomial number of keys in a block. The rate is exact (theory 6.2, 64
/// bits per lane).
template <>
struct Theory<LanesFilter> : LanesTheory, BlockTheory<LanesFilter> {};

static_assert(HasTheory<LanesFilter> && HasRateRangeGivenCounts<LanesFilter>);

}  // namespace bloometry
