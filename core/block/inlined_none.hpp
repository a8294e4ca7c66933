#pragma once

#include <array>
#include <cstdint>

namespace bloometry::block::inlined {

/// No bodies to be inlined: nothing below is defined or called.
inline constexpr bool kExist = false;
inline constexpr unsigned kMaxFieldHashes = 0;

struct FieldSelection {};

inline constexpr std::array<FieldSelection, kMaxFieldHashes + 1> kFirstFields = {};

struct BitFields {
  static bool contains(const std::uint64_t* block, std::uint64_t lo,
                       const FieldSelection& selected) noexcept;
};

struct Split {
  static bool contains(const std::uint64_t* block, std::uint64_t lo) noexcept;
  static bool insert(std::uint64_t* block, std::uint64_t lo) noexcept;
};

using LaneFields = Split;

}  // namespace bloometry::block::inlined
