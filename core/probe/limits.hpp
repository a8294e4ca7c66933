#pragma once

namespace bloometry {

/// Maximum number of probes per key in any variant. The best k for a rate of 2^-64 is 64. A rate of
/// 2^-64 is below the collision rate of 64-bit hashes.
inline constexpr unsigned kMaxNumHashes = 64;

}  // namespace bloometry
