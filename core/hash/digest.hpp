#pragma once

#include <cstdint>

#include "core/requires_cpp20.hpp"

namespace bloometry {

/// The 128-bit hash of a key. A filter receives only the digest, not the key. The words lo and hi
/// are uniform and independent.
///
/// The caller of a filter hashes a key once. The table in core/probe/README.md lists the words that
/// each part of a filter uses. Different parts use different bits.
struct Digest {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;

  friend bool operator==(const Digest&, const Digest&) = default;
};

}  // namespace bloometry
