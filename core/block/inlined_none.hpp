#pragma once

#include <array>
#include <cstdint>

#include "core/isa/compiled_isa.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {
namespace inlined {

/// Whether there are bodies to inline. There are none for this instruction set. The functions below
/// are declared so that callers compile; they are not defined or called.
inline constexpr bool kExist = false;
inline constexpr bool kAlways = false;
/// Whether BitFields has insert.
inline constexpr bool kInsertFields = false;

[[nodiscard]] constexpr bool are_callable() noexcept {
  return false;
}

inline constexpr unsigned kMaxFieldHashes = 0;

struct FieldSelection {};

inline constexpr std::array<FieldSelection, kMaxFieldHashes + 1> kFirstFields = {};

struct BitFields {
  static bool contains(const std::uint64_t* block, std::uint64_t lo,
                       const FieldSelection& selected) noexcept;
  static bool insert(std::uint64_t* block, std::uint64_t lo,
                     const FieldSelection& selected) noexcept;
};

struct Split {
  static bool contains(const std::uint64_t* block, std::uint64_t lo) noexcept;
  static bool insert(std::uint64_t* block, std::uint64_t lo) noexcept;
};

using LaneFields = Split;

}  // namespace inlined
}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
