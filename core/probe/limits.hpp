#pragma once

namespace bloometry {

/// Maximum number of probes per key in any variant. The best k for a rate of 2^-64 is 64, and this
/// rate is below the collision rate of any hash.
inline constexpr unsigned kMaxNumHashes = 64;

}  // namespace bloometry
