#pragma once

#include <cstdint>

#include "core/block/avx512_bodies.hpp"
#include "core/isa/isa.hpp"

namespace bloometry::block::inlined {

inline constexpr bool kExist = true;
inline constexpr Isa kIsa = Isa::kAvx512;

/// Most probes whose fields are in one word.
inline constexpr unsigned kMaxHashes = avx512::Layout<512>::kFieldsPerWord;

/// Of a block of 512 bits; num_hashes at most kMaxHashes.
[[nodiscard]] inline bool contains_fields(const std::uint64_t* block, std::uint64_t lo,
                                          unsigned num_hashes) noexcept {
  const avx512::Lanes words = avx512::Layout<512>::load_words(block);
  return _bzhi_u32(avx512::missing_fields<512>(words, lo), num_hashes) == 0;
}

using Split = avx512::Split;

}  // namespace bloometry::block::inlined
