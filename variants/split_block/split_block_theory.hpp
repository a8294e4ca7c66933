#pragma once

#include <cstdint>
#include <span>

#include "core/theory/block_theory.hpp"
#include "core/theory/theory.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {

/// Returns the predicted values for a filter whose blocks have num_hashes equal lanes, in model P.
/// The approximations are `classic` (a filter without blocks) and `poisson` (the limit of many
/// blocks). The rate and its standard deviation are those of the given probabilities of the blocks.
/// The deviation is over filters of n random keys. The fill ratio is for equal blocks.
[[nodiscard]] Prediction split_block_prediction(std::uint64_t num_keys, const Geometry& geometry,
                                                std::span<const BlockGroup> groups);

/// Returns split_block_prediction for equal blocks.
[[nodiscard]] Prediction split_block_prediction(std::uint64_t num_keys, const Geometry& geometry);

/// Returns the expected rate of a filter whose blocks are equal and have num_hashes lanes of
/// lane_bits bits.
[[nodiscard]] double split_block_claim_rate(std::uint64_t num_keys, const Geometry& geometry,
                                            unsigned lane_bits);

/// Returns the law of a filter whose blocks are equal and have num_hashes lanes of lane_bits bits.
[[nodiscard]] theory::ClaimLaw split_block_claim_law(std::uint64_t num_keys,
                                                     const Geometry& geometry, unsigned lane_bits);

/// Functions of Theory<SplitBlockFilter> that are compiled in a separate source. The declarations
/// of SplitBlockTheory do not contain the type of the filter, which is a different type in sources
/// for different instruction sets (core/isa/compiled_isa.hpp).
struct SplitBlockTheory {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double rate_bound(const FilterSpec& spec, std::uint64_t num_keys);
  /// Returns the law with the collisions of the 32 bits that select the cells in a block. These
  /// bits are part of the Parquet format, unlike the width of the hash.
  static theory::ClaimLaw claim_law(ProbeModel model, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& params);
  static double claim_rate(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry,
                           const Params& params);
};

/// Theory of the split-block filter, model P. The rate of a block is the product of the fill ratios
/// of its eight lanes. The rate of the filter is the mean over the binomial distribution of the
/// number of keys in a block. This is a model of Parquet's scheme, whose lanes are not independent.
/// rate_bound is a proven upper bound (theory 6.2).
template <>
struct Theory<SplitBlockFilter> : SplitBlockTheory, BlockTheory<SplitBlockFilter> {};

static_assert(HasTheory<SplitBlockFilter> && HasRateRangeGivenCounts<SplitBlockFilter>);

}  // namespace bloometry
