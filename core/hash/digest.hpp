#pragma once

#include <cstdint>

#include "core/requires_cpp20.hpp"

namespace bloometry {

/// The 128-bit hash of a key: all that a filter ever sees of it. Both words are uniform and
/// independent.
///
/// A key is hashed once, above the filter. Which part of a filter draws on which word is listed in
/// core/probe/README.md, so that no two parts share bits.
struct Digest {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;

  friend bool operator==(const Digest&, const Digest&) = default;
};

}  // namespace bloometry
