#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/store/bit_array.hpp"

namespace bloometry {

// Conversion between a string of Redis and a BitArray. Offset i of GETBIT and SETBIT is bit
// 7 - i mod 8 of byte i / 8, so the most significant bit is the first. In BitArray, the least
// significant bit is the first.

/// Returns the bits [first, last) of the array as a string of Redis. Offset i of the string is bit
/// first + i, and unused bits of the last byte are 0. A caller can store the returned string by one
/// SET. A SETBIT for every set bit would produce the same string, except for zero bytes at the end.
[[nodiscard]] std::string redis_string(const BitArray<>& bits, std::uint64_t first,
                                       std::uint64_t last);

/// Sets the bits of [first, last) that are set in the string. Zero bytes may be missing at the end
/// of the string. In a string that SETBIT created, the last byte contains the highest set bit.
/// @throws ConfigError if the string has more bytes than last - first bits need, or if a bit is set
/// at `last` or above.
void set_bits_of_redis_string(BitArray<>& bits, std::uint64_t first, std::uint64_t last,
                              std::string_view string);

}  // namespace bloometry
