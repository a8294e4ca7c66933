#pragma once

#include <array>
#include <cstdint>

#include "core/block/split_block_salts.hpp"
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

/// Of field i: where its number of a bit begins, and where its number of a word.
alignas(64) inline constexpr Lanes kBitShifts = {0, 9, 18, 27, 36, 45, 54, 63};
alignas(64) inline constexpr Lanes kWordShifts = {6, 15, 24, 33, 42, 51, 60, 63};

/// The bit numbers of all fields, to be made 63 minus themselves.
inline constexpr std::uint64_t kBitNumbers = 0x0fc7e3f1f8fc7e3fULL;

/// Bit i: the place of field i of word lo is set in the block of 512 bits, i < kMaxHashes.
[[gnu::always_inline]] inline unsigned set_fields(const std::uint64_t* block,
                                                  std::uint64_t lo) noexcept {
  unsigned set = 0;
  asm("vpbroadcastq %[fields], %%zmm16\n\t"
      "vpsrlvq %[bit_shifts], %%zmm16, %%zmm17\n\t"   // 63 - bit number, mod 64
      "vpsrlvq %[word_shifts], %%zmm16, %%zmm16\n\t"  // word number, mod 8
      "vpermq %[block], %%zmm16, %%zmm16\n\t"         // that word
      "vprolvq %%zmm17, %%zmm16, %%zmm16\n\t"         // its bit as the sign
      "vpmovq2m %%zmm16, %%k1\n\t"
      "kmovb %%k1, %[set]"
      : [set] "=r"(set)
      :
      [fields] "r"(lo ^ kBitNumbers), [bit_shifts] "m"(kBitShifts), [word_shifts] "m"(kWordShifts),
      [block] "m"(*reinterpret_cast<const std::uint64_t(*)[8]>(block))
      : BLOOMETRY_CHANGED);
  return set;
}

struct Split {
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
