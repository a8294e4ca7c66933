#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/store/bit_array.hpp"

namespace bloometry {

// The bits of a filter as WriteTo of Go's bits-and-blooms/bitset writes them. The length of the bit
// set in bits comes first, and then its words. Each is a big-endian integer of 8 bytes. Bit i is
// bit i mod 64 of word i / 64. A filter of m bits in this form is longer than its bitmap in Redis.

/// Returns the length of the bit set in bits, which is at least 1. Returns nullopt if the number of
/// bytes differs from that of a bit set with this length.
[[nodiscard]] std::optional<std::uint64_t> go_bitset_length(std::string_view bytes) noexcept;

/// Sets the bits of the array to those of the bit set.
/// @throws ConfigError if the bit set does not have bits.size() bits, or if an unused bit of its
/// last word is set.
void load_go_bitset(BitArray<>& bits, std::string_view bytes);

}  // namespace bloometry
