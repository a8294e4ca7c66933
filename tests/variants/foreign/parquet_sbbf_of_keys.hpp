#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

namespace bloometry::test {

/// Returns a filter of num_blocks blocks that contains the keys.
inline ParquetSbbfFilter parquet_sbbf_of(const std::vector<std::string>& keys,
                                         std::uint64_t num_blocks) {
  ParquetSbbfFilter filter(num_blocks);
  for (const std::string& key : keys) filter.insert(key);
  return filter;
}

}  // namespace bloometry::test
