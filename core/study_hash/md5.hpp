#pragma once

#include <array>
#include <cstdint>

#include "core/key/key_view.hpp"

namespace bloometry {

/// Returns the MD5 (RFC 1321) as four words A, B, C, D. Their bytes, least significant first and in
/// this order, are the digest as usually printed. Attackers can construct collisions. For keys that
/// no attacker chose, the digests behave like random words.
[[nodiscard]] std::array<std::uint32_t, 4> md5(KeyView message) noexcept;

}  // namespace bloometry
