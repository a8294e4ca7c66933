#pragma once

#include <array>
#include <cstdint>

#include "core/block/bodies_avx2.hpp"
#include "core/block/bodies_avx512.hpp"
#include "core/isa/compiled_isa.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {
namespace inlined {

/// Whether inlinable bodies exist. The bodies in inlined_avx512.hpp use intrinsics, because the
/// including source is compiled for AVX-512.
inline constexpr bool kExist = true;
/// Whether the bodies can be called without a check at run time.
inline constexpr bool kAlways = true;
/// Whether BitFields has the function `insert`.
inline constexpr bool kInsertFields = true;

[[nodiscard]] constexpr bool are_callable() noexcept {
  return kAlways;
}

using block::avx512::LaneFields;
/// The split block filter uses the bodies of AVX2. The test instruction of AVX2 sets the carry
/// flag, which a caller can add in one instruction. The test instruction of AVX-512 sets a mask
/// register instead.
using block::avx2::Split;

struct FieldSelection {
  /// Bit i of the mask is set if field i is a probe.
  unsigned mask;
  unsigned num_fields;
};

/// Largest number of probes of a blocked filter for which all fields fit in one word.
inline constexpr unsigned kMaxFieldHashes = block::avx512::Layout<512>::kFieldsPerWord;

/// Element k is the selection of the first k fields.
inline constexpr auto kFirstFields = [] {
  std::array<FieldSelection, kMaxFieldHashes + 1> choices{};
  for (unsigned k = 0; k <= kMaxFieldHashes; ++k) choices[k] = {(1U << k) - 1, k};
  return choices;
}();

/// Operations on one block of a blocked filter that has blocks of 512 bits and at most
/// kMaxFieldHashes hashes.
struct BitFields {
  /// Returns whether the bits of the chosen fields of word lo are all set.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block, std::uint64_t lo,
                                                     const FieldSelection& chosen) noexcept {
    using Fields = block::avx512::Layout<512>;
    return (block::avx512::missing_fields<512>(Fields::load_words(block), lo) & chosen.mask) == 0;
  }

  /// Sets the bits of the chosen fields. Returns whether a bit changed.
  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block, std::uint64_t lo,
                                                   const FieldSelection& chosen) noexcept {
    return block::avx512::Layout<512>::merge(
        block, block::avx512::mask_of<512>(lo, chosen.num_fields, kMaxFieldHashes));
  }
};

}  // namespace inlined
}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
