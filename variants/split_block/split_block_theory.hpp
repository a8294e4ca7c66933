#pragma once

#include "core/theory/block_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/split_block/split_block_filter.hpp"

namespace bloometry {

/// Returns all theoretical values for a filter of blocks of num_hashes equal lanes, in model P. The
/// approximations are `classic` (a filter without blocks) and `poisson` (the limit of many blocks).
[[nodiscard]] Prediction split_block_prediction(std::uint64_t num_keys, const Geometry& geometry);

/// The functions of Theory<SplitBlockFilter> that are compiled in a source file. The functions of
/// SplitBlockTheory do not name the type of the filter, which is another type in sources for
/// another instruction set (core/isa/compiled_isa.hpp).
struct SplitBlockTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
};

/// Theory of the split-block filter, model P. The rate is the product of the fill ratios of the
/// eight lanes, averaged over the binomial number of keys in a block. The rate is exact for ideally
/// hashed lanes (theory 6.2).
template <>
struct Theory<SplitBlockFilter> : SplitBlockTheory, BlockTheory<SplitBlockFilter> {};

static_assert(HasTheory<SplitBlockFilter> && HasRateRangeGivenCounts<SplitBlockFilter>);

}  // namespace bloometry
