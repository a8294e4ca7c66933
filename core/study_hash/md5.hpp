#pragma once

#include <array>
#include <cstdint>

#include "core/hash/key_view.hpp"

namespace bloometry {

/// Returns the MD5 (RFC 1321) as four words A, B, C, D. The bytes of the words A, B, C and D, least
/// significant first, form the digest as usually printed. Attackers can construct collisions of
/// MD5. For keys that an attacker did not choose, the words of the digests are uniform and
/// independent.
[[nodiscard]] std::array<std::uint32_t, 4> md5(KeyView message) noexcept;

}  // namespace bloometry
