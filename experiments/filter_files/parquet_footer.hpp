#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// The Bloom filters in a Parquet file.
struct ParquetBloomFilters {
  std::uint64_t num_filters = 0;
  // The first filter. Its bytes are a file of parquet_sbbf.
  std::uint64_t first_offset = 0;
  std::uint64_t first_bytes = 0;
  std::string first_column{};  ///< path of the column, joined by dots
};

/// Returns the Bloom filters that the footer of a Parquet file lists, or nullopt if the footer is
/// not valid (parquet.thrift: FileMetaData, in the compact protocol of Thrift).
/// @param file all bytes of the file, which may come from an untrusted source
[[nodiscard]] std::optional<ParquetBloomFilters> bloom_filters_of_parquet(std::string_view file);

}  // namespace bloometry
