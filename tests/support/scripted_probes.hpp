#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/probe/probe_policy.hpp"

namespace bloometry::test {

/// A probe policy whose positions the test determines. Position i of a key is byte i of digest.lo
/// for i < 8, and 0 for i >= 8. The word digest.hi is free for other uses.
class ScriptedProbes {
 public:
  static constexpr std::string_view kName = "scripted";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = false;
  static constexpr bool kUsesDigestHi = false;

  constexpr ScriptedProbes(const Digest& digest, std::uint64_t /*range*/) noexcept
      : positions_(digest.lo) {}

  constexpr std::uint64_t next(std::uint64_t /*range*/) noexcept {
    const std::uint64_t position = positions_ & 0xffU;
    positions_ >>= 8U;
    return position;
  }

 private:
  std::uint64_t positions_;
};

static_assert(ProbePolicy<ScriptedProbes>);

/// Returns the key that probes the given positions: at most eight positions, each below 256.
constexpr Digest key_at(std::initializer_list<std::uint64_t> positions, std::uint64_t hi = 0) {
  Digest digest{0, hi};
  unsigned shift = 0;
  for (const std::uint64_t position : positions) {
    digest.lo |= position << shift;
    shift += 8;
  }
  return digest;
}

}  // namespace bloometry::test
