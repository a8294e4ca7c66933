#pragma once

#include <cstdint>

#include "core/theory/prediction.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/split_block/split_block_theory.hpp"

namespace bloometry {

/// Returns the prediction for a Parquet filter after num_keys distinct values. The prediction
/// equals the prediction for the variant split_block, and is exact for ideally hashed lanes (theory
/// 6.2).
/// @throws ConfigError or std::domain_error if num_blocks is 0.
[[nodiscard]] inline Prediction predict_parquet_sbbf(std::uint64_t num_blocks,
                                                     std::uint64_t num_keys) {
  return Theory<SplitBlockFilter>::predict({.num_blocks = num_blocks}, SplitBlockFilter::kModel,
                                           num_keys);
}

}  // namespace bloometry
