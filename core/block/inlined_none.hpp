#pragma once

#include <array>
#include <cstdint>

#include "core/isa/isa.hpp"

namespace bloometry::block::inlined {

/// No bodies to be inlined: nothing below is defined or called.
inline constexpr bool kExist = false;
inline constexpr Isa kIsa = Isa::kBaseline;

inline constexpr unsigned kMaxHashes = 0;

struct FieldShifts {};

inline constexpr std::array<FieldShifts, kMaxHashes + 1> kFieldShifts = {};

bool contains(const std::uint64_t* block, std::uint64_t lo, const FieldShifts& shifts) noexcept;

struct Split {
  static bool contains(const std::uint64_t* block, std::uint64_t lo) noexcept;
  static bool insert(std::uint64_t* block, std::uint64_t lo) noexcept;
};

}  // namespace bloometry::block::inlined
