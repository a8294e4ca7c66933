#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/store/bit_array.hpp"

namespace bloometry {

// A string of Redis as a bitmap: offset i of GETBIT and SETBIT is bit 7 - i mod 8 of byte i / 8,
// the most significant bit first. The store has the least significant bit first.

/// Returns bits [first, last) as a string: offset i is bit first + i, and unused bits of the last
/// byte are 0. SETBIT for every set bit would produce the same string, except for zero bytes at the
/// end; SET stores it at once.
[[nodiscard]] std::string redis_string(const BitArray<>& bits, std::uint64_t first,
                                       std::uint64_t last);

/// Sets the bits of [first, last) that the string has. Zero bytes may be missing at its end: a
/// string that SETBIT created ends at the byte of its highest set bit.
/// @throws ConfigError if the string has more bytes than last - first bits fill, or sets a bit at
/// last or above.
void set_bits_of_redis_string(BitArray<>& bits, std::uint64_t first, std::uint64_t last,
                              std::string_view string);

}  // namespace bloometry
