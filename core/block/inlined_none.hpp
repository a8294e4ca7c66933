#pragma once

#include <array>
#include <cstdint>

#include "core/isa/compiled_isa.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {
namespace inlined {

/// Whether inlinable bodies exist. The header inlined_none.hpp is for architectures without such
/// bodies. The functions are declared so that callers compile, but are neither defined nor called.
inline constexpr bool kExist = false;
inline constexpr bool kAlways = false;
/// Whether BitFields has the function `insert`.
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
