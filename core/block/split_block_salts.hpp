#pragma once

#include <cstdint>

namespace bloometry::block {

/// Multipliers of the eight lanes of a split block: Apache Parquet's format specification,
/// "Bloom Filter".
inline constexpr std::uint32_t kSalts[8] = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                            0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

}  // namespace bloometry::block
