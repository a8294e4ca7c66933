#pragma once

#include <array>
#include <cstdint>

#include "core/key/key_view.hpp"

namespace bloometry {

/// MD5 (RFC 1321): the four words A, B, C, D, whose bytes, least significant first and in this
/// order, are the digest as it is usually printed. Broken against who makes two keys collide; for
/// keys that nobody chose it mixes well.
[[nodiscard]] std::array<std::uint32_t, 4> md5(KeyView message) noexcept;

}  // namespace bloometry
