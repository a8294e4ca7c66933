#pragma once

namespace bloometry {

/// Most probes per key that any variant takes. 64 is the best k for a rate of 2^-64, below any
/// hash's own collisions.
inline constexpr unsigned kMaxNumHashes = 64;

}  // namespace bloometry
