#pragma once

#include <array>
#include <cstdint>

#include "core/isa/compiled_isa.hpp"
#include "core/isa/isa.hpp"
#include "core/probe/split_block_bits.hpp"

// The bodies are in assembly, because a source that is compiled for every x86-64 cannot use AVX2
// intrinsics. A function that is compiled for AVX2 is never inlined into such a source. A call of
// such a function would need a third of the time of a query. The same bodies are written in
// intrinsics in bodies_avx2.hpp and in C++ in kernels_baseline.cpp. Tests compare the results of
// the three versions. The comment beside an instruction describes the contents of the lanes after
// the instruction. The bodies load a block into registers before they shift or permute it, because
// a memory operand would be slower. In a result, bit 0 of a lane is the answer for the lane.
//
// The bodies clear the upper halves of the registers at the end. Otherwise each instruction of code
// compiled without AVX would wait for the upper halves. In a source that is compiled with AVX, the
// bodies do not, because the compiler may keep values there.
#if defined(__AVX__)
#define BLOOMETRY_CLEAR_UPPER_HALVES ""
#else
#define BLOOMETRY_CLEAR_UPPER_HALVES "\n\tvzeroupper"
#endif

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {
namespace inlined {

inline constexpr bool kExist = true;
inline constexpr bool kAlways = false;
/// Whether BitFields has the function `insert`.
inline constexpr bool kInsertFields = false;

/// Returns whether the bodies may be called.
[[nodiscard]] inline bool are_callable() noexcept {
  return active_isa() != Isa::kBaseline;
}

using Lanes32 = std::array<std::uint32_t, 8>;
using Lanes64 = std::array<std::uint64_t, 4>;
using ConstHalf = const std::uint64_t (*)[4];  ///< half of a block (256 bits) as a memory operand
using Half = std::uint64_t (*)[4];

alignas(32) inline constexpr Lanes32 kOnes32 = {1, 1, 1, 1, 1, 1, 1, 1};
alignas(32) inline constexpr Lanes64 kOnes64 = {1, 1, 1, 1};

/// Lanes of 32 bits; lane i is 1 if field i is selected, else 0.
using FieldSelection = Lanes32;

/// Largest number of probes of a blocked filter for which all fields fit in one word.
inline constexpr unsigned kMaxFieldHashes = 7;

/// Element k is the selection of the first k fields.
alignas(32) inline constexpr std::array<FieldSelection, kMaxFieldHashes + 1> kFirstFields = [] {
  std::array<FieldSelection, kMaxFieldHashes + 1> choices{};
  for (unsigned k = 1; k <= kMaxFieldHashes; ++k) {
    for (unsigned i = 0; i < k; ++i) choices[k][i] = 1;
  }
  return choices;
}();

/// Operations on one block of a blocked filter that has blocks of 512 bits and at most
/// kMaxFieldHashes hashes.
struct BitFields {
  /// A shuffle by kBytes moves the two bytes that hold a field of 9 bits to the field's lane of 32
  /// bits. A shift by kShifts then moves the field to the low end of the lane.
  alignas(32) static constexpr std::array<std::int8_t, 32> kBytes = {
      0, 1, -1, -1, 1, 2, -1, -1, 2, 3, -1, -1, 3, 4,  -1, -1,
      4, 5, -1, -1, 5, 6, -1, -1, 6, 7, -1, -1, 7, -1, -1, -1};
  alignas(32) static constexpr Lanes32 kShifts = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(32) static constexpr Lanes32 kBitNumber = {31, 31, 31, 31, 31, 31, 31, 31};

  /// Returns whether the bits of the selected fields of word lo are all set.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block, std::uint64_t lo,
                                                     const FieldSelection& selected) noexcept {
    bool none_missing = false;
    asm("vmovq %[lo], %%xmm0\n\t"
        "vpbroadcastq %%xmm0, %%ymm0\n\t"
        "vpshufb %[bytes], %%ymm0, %%ymm0\n\t"
        "vpsrlvd %[shifts], %%ymm0, %%ymm0\n\t"  // field i; other fields above it
        "vmovdqa %[low], %%ymm2\n\t"
        "vmovdqa %[high], %%ymm3\n\t"
        "vpsrld $5, %%ymm0, %%ymm1\n\t"                 // number of the word of 32 bits, mod 8
        "vpermd %%ymm2, %%ymm1, %%ymm2\n\t"             // word of the low half
        "vpermd %%ymm3, %%ymm1, %%ymm3\n\t"             // the same word of the high half
        "vpslld $23, %%ymm0, %%ymm1\n\t"                // number of the half
        "vblendvps %%ymm1, %%ymm3, %%ymm2, %%ymm2\n\t"  // the word
        "vpand %[bit_number], %%ymm0, %%ymm0\n\t"
        "vpsrlvd %%ymm0, %%ymm2, %%ymm2\n\t"  // bit 0 is the selected bit
        "vptest %[selected], %%ymm2" BLOOMETRY_CLEAR_UPPER_HALVES
        : "=@ccc"(none_missing)
        : [lo] "r"(lo), [bytes] "m"(kBytes), [shifts] "m"(kShifts), [bit_number] "m"(kBitNumber),
          [selected] "m"(selected), [low] "m"(*reinterpret_cast<ConstHalf>(block)),
          [high] "m"(*reinterpret_cast<ConstHalf>(block + 4))
        : "xmm0", "xmm1", "xmm2", "xmm3");
    return none_missing;
  }

  /// Inserts a key. The function `insert` is declared but not defined, because inserts call a
  /// kernel.
  static bool insert(std::uint64_t* block, std::uint64_t lo, const FieldSelection& chosen) noexcept;
};

struct Split {
  /// Returns whether the key's bit in every lane is set.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    bool none_missing = false;
    asm("vmovd %k[lo], %%xmm0\n\t"
        "vpbroadcastd %%xmm0, %%ymm0\n\t"
        "vpmulld %[salts], %%ymm0, %%ymm0\n\t"
        "vmovdqa %[block], %%ymm1\n\t"
        "vpsrld $27, %%ymm0, %%ymm0\n\t"
        "vpsrlvd %%ymm0, %%ymm1, %%ymm1\n\t"
        "vptest %[ones], %%ymm1" BLOOMETRY_CLEAR_UPPER_HALVES
        : "=@ccc"(none_missing)
        : [lo] "r"(lo), [salts] "m"(block::kSalts), [ones] "m"(kOnes32),
          [block] "m"(*reinterpret_cast<ConstHalf>(block))
        : "xmm0", "xmm1");
    return none_missing;
  }

  /// Sets the key's bit in every lane. Returns whether a bit changed.
  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    bool changed = false;
    asm("vmovd %k[lo], %%xmm0\n\t"
        "vpbroadcastd %%xmm0, %%ymm0\n\t"
        "vpmulld %[salts], %%ymm0, %%ymm0\n\t"
        "vmovdqa %[ones], %%ymm1\n\t"
        "vmovdqa %[block], %%ymm2\n\t"
        "vpsrld $27, %%ymm0, %%ymm0\n\t"
        "vpsllvd %%ymm0, %%ymm1, %%ymm0\n\t"  // the lane's bit
        "vpor %%ymm0, %%ymm2, %%ymm1\n\t"
        "vptest %%ymm0, %%ymm2\n\t"  // carry: all bits were set
        "vmovdqa %%ymm1, %[block]" BLOOMETRY_CLEAR_UPPER_HALVES
        : [block] "+m"(*reinterpret_cast<Half>(block)), "=@ccnc"(changed)
        : [lo] "r"(lo), [salts] "m"(block::kSalts), [ones] "m"(kOnes32)
        : "xmm0", "xmm1", "xmm2");
    return changed;
  }
};

struct LaneFields {
  /// Left shifts that move field i to the high end of lane i. The array kLowShifts is for the low
  /// four lanes, and kHighShifts is for the high four lanes.
  alignas(32) static constexpr Lanes64 kLowShifts = {58, 52, 46, 40};
  alignas(32) static constexpr Lanes64 kHighShifts = {34, 28, 22, 16};

  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    bool none_missing = false;
    asm("vmovq %[lo], %%xmm0\n\t"
        "vpbroadcastq %%xmm0, %%ymm0\n\t"
        "vmovdqa %[low], %%ymm2\n\t"
        "vmovdqa %[high], %%ymm3\n\t"
        "vpsllvq %[low_shifts], %%ymm0, %%ymm1\n\t"
        "vpsllvq %[high_shifts], %%ymm0, %%ymm0\n\t"
        "vpsrlq $58, %%ymm1, %%ymm1\n\t"  // bit numbers
        "vpsrlq $58, %%ymm0, %%ymm0\n\t"
        "vpsrlvq %%ymm1, %%ymm2, %%ymm2\n\t"
        "vpsrlvq %%ymm0, %%ymm3, %%ymm3\n\t"
        "vpand %%ymm2, %%ymm3, %%ymm3\n\t"
        "vptest %[ones], %%ymm3" BLOOMETRY_CLEAR_UPPER_HALVES
        : "=@ccc"(none_missing)
        : [lo] "r"(lo), [low_shifts] "m"(kLowShifts), [high_shifts] "m"(kHighShifts),
          [ones] "m"(kOnes64), [low] "m"(*reinterpret_cast<ConstHalf>(block)),
          [high] "m"(*reinterpret_cast<ConstHalf>(block + 4))
        : "xmm0", "xmm1", "xmm2", "xmm3");
    return none_missing;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    bool changed = false;
    asm("vmovq %[lo], %%xmm0\n\t"
        "vpbroadcastq %%xmm0, %%ymm0\n\t"
        "vmovdqa %[ones], %%ymm2\n\t"
        "vpsllvq %[low_shifts], %%ymm0, %%ymm1\n\t"
        "vpsllvq %[high_shifts], %%ymm0, %%ymm0\n\t"
        "vpsrlq $58, %%ymm1, %%ymm1\n\t"  // bit numbers
        "vpsrlq $58, %%ymm0, %%ymm0\n\t"
        "vpsllvq %%ymm1, %%ymm2, %%ymm1\n\t"  // bits
        "vpsllvq %%ymm0, %%ymm2, %%ymm0\n\t"
        "vmovdqa %[low], %%ymm2\n\t"
        "vmovdqa %[high], %%ymm3\n\t"
        "vpandn %%ymm1, %%ymm2, %%ymm4\n\t"  // bits that were clear
        "vpor %%ymm1, %%ymm2, %%ymm2\n\t"
        "vpandn %%ymm0, %%ymm3, %%ymm1\n\t"
        "vpor %%ymm0, %%ymm3, %%ymm3\n\t"
        "vpor %%ymm1, %%ymm4, %%ymm4\n\t"
        "vmovdqa %%ymm2, %[low]\n\t"
        "vmovdqa %%ymm3, %[high]\n\t"
        "vptest %%ymm4, %%ymm4" BLOOMETRY_CLEAR_UPPER_HALVES
        : [low] "+m"(*reinterpret_cast<Half>(block)),
          [high] "+m"(*reinterpret_cast<Half>(block + 4)), "=@ccnz"(changed)
        : [lo] "r"(lo), [low_shifts] "m"(kLowShifts), [high_shifts] "m"(kHighShifts),
          [ones] "m"(kOnes64)
        : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4");
    return changed;
  }
};

}  // namespace inlined
}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry

#undef BLOOMETRY_CLEAR_UPPER_HALVES
