#pragma once

#include <array>
#include <cstdint>

#include "core/block/bodies_avx2.hpp"
#include "core/isa/compiled_isa.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {
namespace inlined {

/// Whether inlinable bodies exist. The bodies in inlined_avx2.hpp use intrinsics, because the
/// including source is compiled for AVX2.
inline constexpr bool kExist = true;
/// Whether the bodies can be called without a check at run time.
inline constexpr bool kAlways = true;
/// Whether BitFields has the function `insert`.
inline constexpr bool kInsertFields = false;

[[nodiscard]] constexpr bool are_callable() noexcept {
  return kAlways;
}

using block::avx2::LaneFields;
using block::avx2::Split;

/// Lanes of 32 bits; lane i is 1 if field i is a probe, else 0.
using FieldSelection = std::array<std::uint32_t, 8>;

/// Largest number of probes of a blocked filter for which all fields fit in one word.
inline constexpr unsigned kMaxFieldHashes = block::avx2::Fields512::kFieldsPerWord;

/// Element k is the selection of the first k fields.
alignas(32) inline constexpr auto kFirstFields = [] {
  std::array<FieldSelection, kMaxFieldHashes + 1> choices{};
  for (unsigned k = 1; k <= kMaxFieldHashes; ++k) {
    for (unsigned i = 0; i < k; ++i) choices[k][i] = 1;
  }
  return choices;
}();

/// Operations on one block of a blocked filter that has blocks of 512 bits and at most
/// kMaxFieldHashes hashes.
struct BitFields {
  /// Returns whether the bits of the chosen fields of word lo are all set.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block, std::uint64_t lo,
                                                     const FieldSelection& chosen) noexcept {
    using block::avx2::Fields512;
    const auto fields = Fields512::spread(lo);
    const auto bits = _mm256_srlv_epi32(Fields512::look_up(block, fields),
                                        _mm256_and_si256(fields, _mm256_set1_epi32(31)));
    return _mm256_testc_si256(bits, block::avx2::load(&chosen)) != 0;
  }

  /// Inserts a key. The function `insert` is declared but not defined, because inserts call a
  /// kernel.
  static bool insert(std::uint64_t* block, std::uint64_t lo, const FieldSelection& chosen) noexcept;
};

}  // namespace inlined
}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
