#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"

namespace bloometry::block::inlined {

/// No bodies to be inlined: nothing below is defined or called.
inline constexpr bool kExist = false;
inline constexpr Isa kIsa = Isa::kBaseline;

inline constexpr unsigned kMaxHashes = 0;

bool contains_fields(const std::uint64_t* block, std::uint64_t lo, unsigned num_hashes) noexcept;

struct Split {
  static constexpr unsigned kWordsPerBlock = 4;
  static std::uint64_t block_of(Digest digest, std::uint64_t num_blocks) noexcept;
  static bool contains(const std::uint64_t* block, std::uint64_t lo) noexcept;
  static bool insert(std::uint64_t* block, std::uint64_t lo) noexcept;
};

}  // namespace bloometry::block::inlined
