#pragma once

#include <cstdint>

#include "core/isa/isa.hpp"

namespace bloometry::block::inlined {

/// No bodies to be inlined: nothing below is defined or called.
inline constexpr bool kExist = false;
inline constexpr Isa kIsa = Isa::kBaseline;

inline constexpr unsigned kMaxHashes = 0;

unsigned set_fields(const std::uint64_t* block, std::uint64_t lo) noexcept;

struct Split {
  static bool contains(const std::uint64_t* block, std::uint64_t lo) noexcept;
  static bool insert(std::uint64_t* block, std::uint64_t lo) noexcept;
};

}  // namespace bloometry::block::inlined
