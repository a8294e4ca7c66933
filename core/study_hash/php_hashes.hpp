#pragma once

#include <cstdint>

#include "core/hash/key_view.hpp"

namespace bloometry {

/// Returns the state of BKDR, one of three string hashes of a PHP scheme that fills a Redis bitmap
/// with k = 3. The three functions compute the states of BKDR, JS and SDBM as 64-bit PHP 7 or 8
/// does; those of 32-bit PHP and PHP 5 are different. Each formula gives the initial state and the
/// new state h after a byte c, before the final reduction.
///
///     BKDR, from 0:           h <- int(h * 131 + c)
///
///     JS, from 1315423911:    h <- h xor ((h << 5) + c + (h >> 2))
///
///     SDBM, from 0:           h <- int(c + (h << 6) + (h << 16) - h)
///
/// Numbers beyond the range of integers become doubles in PHP. The last binary digit of such a
/// double is usually worth more than any byte. After about nine characters, further characters of a
/// key therefore do not change BKDR.
[[nodiscard]] std::int64_t php_bkdr_state(KeyView key) noexcept;
[[nodiscard]] std::int64_t php_js_state(KeyView key) noexcept;
[[nodiscard]] std::int64_t php_sdbm_state(KeyView key) noexcept;

/// Returns (state mod 4294967295) & 4294967295, where mod has the sign of the state. The scheme
/// reduces the result modulo the number of bits and sets the bit at this position. For the state
/// -7, the result is 4294967289.
[[nodiscard]] constexpr std::uint32_t php_hash_of_state(std::int64_t state) noexcept {
  return static_cast<std::uint32_t>(state % 4294967295);
}

}  // namespace bloometry
