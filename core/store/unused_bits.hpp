#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>

namespace bloometry {

/// Returns the number of the first bit from bit `num_bits` on that is set in the last word, or
/// nullopt if these bits are 0. The words are those of a BitArray of num_bits bits.
[[nodiscard]] inline std::optional<std::uint64_t> first_unused_bit_set(
    std::span<const std::uint64_t> words, std::uint64_t num_bits) noexcept {
  const std::uint64_t num_used = num_bits % 64;
  if (num_used == 0) return std::nullopt;
  const std::uint64_t unused = words.back() >> num_used;
  if (unused == 0) return std::nullopt;
  return num_bits + static_cast<std::uint64_t>(std::countr_zero(unused));
}

}  // namespace bloometry
