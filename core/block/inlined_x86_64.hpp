#pragma once

#include <array>
#include <cstdint>

#include "core/block/split_block_bits.hpp"
#include "core/isa/isa.hpp"

// Assembly, because a source that is compiled for every x86-64 may not name AVX-512 otherwise, and
// what may is never inlined there: the call costs a third of a query. Registers 16 to 31 only,
// which need no vzeroupper. Each line says what the lanes hold; the bodies in kernels_avx512.cpp do
// the same in intrinsics, kernels_baseline.cpp in C++, and tests hold them to each other.

// What the bodies change. Where the compiler does not know of these registers it uses none of them,
// and may not be told.
#if defined(__AVX512F__)
#define BLOOMETRY_CHANGED "xmm16", "xmm17", "xmm18", "k1"
#else
#define BLOOMETRY_CHANGED "cc"
#endif

namespace bloometry::block::inlined {

/// Callable where active_isa() is this one.
inline constexpr bool kExist = true;
inline constexpr Isa kIsa = Isa::kAvx512;

/// Most probes whose fields are in one word.
inline constexpr unsigned kMaxHashes = 7;

using Lanes = std::array<std::uint64_t, 8>;

/// Lane i: where the number of a bit begins in field i, and where that of a word. Lanes past the
/// last field are those of field 0 again, so that all lanes together are the answer.
struct FieldShifts {
  alignas(64) Lanes bits{};
  alignas(64) Lanes words{};
};

/// Of the first k fields, in element k.
inline constexpr std::array<FieldShifts, kMaxHashes + 1> kFieldShifts = [] {
  std::array<FieldShifts, kMaxHashes + 1> shifts;
  for (unsigned k = 1; k <= kMaxHashes; ++k) {
    for (unsigned i = 0; i < 8; ++i) {
      shifts[k].bits[i] = i < k ? 9 * i : 0;
      shifts[k].words[i] = shifts[k].bits[i] + 6;
    }
  }
  return shifts;
}();

inline constexpr std::uint64_t kOne = 1;

/// Whether the places of the fields of word lo are all set in the block of 512 bits.
[[gnu::always_inline]] inline bool contains(const std::uint64_t* block, std::uint64_t lo,
                                            const FieldShifts& shifts) noexcept {
  bool none_missing = false;
  asm("vpbroadcastq %[lo], %%zmm16\n\t"
      "vpsrlvq %[bit_shifts], %%zmm16, %%zmm17\n\t"   // bit number, mod 64
      "vpsrlvq %[word_shifts], %%zmm16, %%zmm16\n\t"  // word number, mod 8
      "vpermq %[block], %%zmm16, %%zmm16\n\t"         // that word
      "vprorvq %%zmm17, %%zmm16, %%zmm16\n\t"         // its bit as bit 0
      "vptestnmq %[one]%{1to8%}, %%zmm16, %%k1\n\t"
      "kortestb %%k1, %%k1"
      : "=@ccz"(none_missing)
      : [lo] "r"(lo), [bit_shifts] "m"(shifts.bits), [word_shifts] "m"(shifts.words),
        [one] "m"(kOne), [block] "m"(*reinterpret_cast<const std::uint64_t(*)[8]>(block))
      : BLOOMETRY_CHANGED);
  return none_missing;
}

struct Split {
  /// A lane of 32 bits.
  static constexpr std::uint32_t kOne = 1;

  /// Whether the bit of every lane is set.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    bool none_missing = false;
    asm("vpbroadcastd %k[lo], %%ymm16\n\t"
        "vpmulld %[salts], %%ymm16, %%ymm16\n\t"
        "vmovdqa32 %[block], %%ymm17\n\t"
        "vpsrld $27, %%ymm16, %%ymm16\n\t"
        "vpsrlvd %%ymm16, %%ymm17, %%ymm16\n\t"  // the lane's bit as bit 0
        "vptestnmd %[one]%{1to8%}, %%ymm16, %%k1\n\t"
        "kortestb %%k1, %%k1"
        : "=@ccz"(none_missing)
        : [lo] "r"(lo), [salts] "m"(kSalts), [one] "m"(kOne),
          [block] "m"(*reinterpret_cast<const std::uint64_t(*)[4]>(block))
        : BLOOMETRY_CHANGED);
    return none_missing;
  }

  /// Sets the bit of every lane; whether some bit changed.
  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    bool changed = false;
    asm("vpbroadcastd %k[lo], %%ymm16\n\t"
        "vpmulld %[salts], %%ymm16, %%ymm16\n\t"
        "vpbroadcastd %[one], %%ymm17\n\t"
        "vpsrld $27, %%ymm16, %%ymm16\n\t"
        "vpsllvd %%ymm16, %%ymm17, %%ymm16\n\t"  // the lane's bit
        "vmovdqa32 %[block], %%ymm18\n\t"
        "vpandnd %%ymm16, %%ymm18, %%ymm17\n\t"  // if it was clear
        "vpord %%ymm16, %%ymm18, %%ymm16\n\t"
        "vptestmd %%ymm17, %%ymm17, %%k1\n\t"
        "vmovdqa32 %%ymm16, %[block]\n\t"
        "kortestb %%k1, %%k1"
        : [block] "+m"(*reinterpret_cast<std::uint64_t(*)[4]>(block)), "=@ccnz"(changed)
        : [lo] "r"(lo), [salts] "m"(kSalts), [one] "m"(kOne)
        : BLOOMETRY_CHANGED);
    return changed;
  }
};

}  // namespace bloometry::block::inlined

#undef BLOOMETRY_CHANGED
