#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>

#include "core/error.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/store/bit_array.hpp"

namespace bloometry {

/// Checks that the divisor divides the size.
/// @throws ConfigError, which names the field, if the divisor does not divide the size.
inline void require_divisor(std::uint64_t divisor, const char* field, std::uint64_t size) {
  if (divisor != 0 && size % divisor == 0) return;
  throw ConfigError("fold divisor must divide " + std::string(field) + " " + std::to_string(size) +
                    ", got " + std::to_string(divisor));
}

/// Sets each block of `folded` to the OR of `divisor` neighbouring blocks of `words`. The words of
/// `folded` must be 0. The result is correct if a key's block is the fastrange of a word that does
/// not depend on the number of blocks.
inline void fold_blocks(std::span<const std::uint64_t> words, std::span<std::uint64_t> folded,
                        std::uint64_t divisor, unsigned words_per_block) noexcept {
  assert(words.size() == folded.size() * divisor);
  std::uint64_t* block = folded.data();
  for (; !words.empty(); words = words.subspan(divisor * words_per_block)) {
    for (std::uint64_t i = 0; i < divisor * words_per_block; ++i) {
      block[i % words_per_block] |= words[i];
    }
    block += words_per_block;
  }
}

/// Returns an array of size / divisor bits. The set bits are those that the probes of the inserted
/// keys hit in the smaller range. With kModulo, the result is the OR of the array's `divisor`
/// parts. With kFastrange, each bit of the result is the OR of `divisor` neighbouring bits (theory
/// 2). The divisor must divide the size. The function needs O(words + set bits) time.
template <FoldRule kRule, class Memory>
[[nodiscard]] BitArray<OwnedMemory> folded(const BitArray<Memory>& bits, std::uint64_t divisor) {
  static_assert(kRule != FoldRule::kNone, "indices of this scheme cannot be folded");
  assert(divisor != 0 && bits.size() % divisor == 0);
  const std::uint64_t num_bits = bits.size() / divisor;
  BitArray<OwnedMemory> result(num_bits);
  std::uint64_t first = 0;
  for (std::uint64_t word : bits.words()) {
    for (; word != 0; word &= word - 1) {
      const std::uint64_t index = first + static_cast<std::uint64_t>(std::countr_zero(word));
      result.set(kRule == FoldRule::kModulo ? index % num_bits : index / divisor);
    }
    first += 64;
  }
  return result;
}

}  // namespace bloometry
