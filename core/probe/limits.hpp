#pragma once

namespace bloometry {

/// Maximum number of probes per key in any variant. 64 is the best k for a rate of 2^-64, which is
/// below the collision rate of any hash.
inline constexpr unsigned kMaxNumHashes = 64;

}  // namespace bloometry
