#pragma once

#include <cstdint>

#include "core/theory/prediction.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/registry/filter_rates.hpp"

namespace bloometry {

/// Returns a Parquet filter as a filter of the variant split_block, whose keys have hashes of 64
/// bits.
[[nodiscard]] inline RatedFilter rated_parquet_sbbf(std::uint64_t num_blocks) {
  const VariantInfo& variant = find_variant("split_block");
  return {.variant = variant,
          .scheme = variant.schemes.front(),
          .spec = {.num_blocks = num_blocks},
          .hash = {.num = 64}};
}

/// Returns the prediction for a Parquet filter after num_keys distinct values. The prediction
/// equals the prediction for the variant split_block (theory 6.2).
/// @throws ConfigError or std::domain_error if num_blocks is 0.
[[nodiscard]] inline Prediction predict_parquet_sbbf(std::uint64_t num_blocks,
                                                     std::uint64_t num_keys) {
  return predict(rated_parquet_sbbf(num_blocks), num_keys);
}

}  // namespace bloometry
