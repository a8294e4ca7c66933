#pragma once

#include <emmintrin.h>

#include <cstdint>

#include "core/hash/aes_rounds.hpp"

// A source that is compiled for every x86-64 processor must use inline assembly, because g++ does
// not inline the AES intrinsics in such a source. Code compiled with AVX uses VAESENC, because
// AESENC would wait for the upper halves of the registers.
#if defined(__AVX__)
#define BLOOMETRY_AESENC "vaesenc %[key], %[state], %[state]"
#else
#define BLOOMETRY_AESENC "aesenc %[key], %[state]"
#endif

namespace bloometry::aes {

/// Rounds of AES that use the processor's AES instructions. Call the functions of Instructions only
/// if uses_aes_instructions() is true. The functions are always inlined, so that the linker cannot
/// use a copy in code compiled for another instruction set.
struct Instructions {
  using Register = __m128i;
  static constexpr bool kExist = true;

  [[gnu::always_inline]] static inline Register load(const AesState& state) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(&state));
  }

  [[gnu::always_inline]] static inline Register load_bytes(const char* bytes) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  }

  [[gnu::always_inline]] static inline Register of_words(std::uint64_t lo,
                                                         std::uint64_t hi) noexcept {
    return _mm_set_epi64x(static_cast<long long>(hi), static_cast<long long>(lo));
  }

  [[gnu::always_inline]] static inline Register exclusive_or(Register a, Register b) noexcept {
    return _mm_xor_si128(a, b);
  }

  template <unsigned kNumRounds>
  [[gnu::always_inline]] static inline Register rounds(Register state,
                                                       Register round_key) noexcept {
    for (unsigned i = 0; i < kNumRounds; ++i) {
      asm(BLOOMETRY_AESENC : [state] "+x"(state) : [key] "x"(round_key));
    }
    return state;
  }

  [[gnu::always_inline]] static inline Digest digest(Register state) noexcept {
    return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(state)),
            static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_shuffle_epi32(state, 0xee)))};
  }
};

}  // namespace bloometry::aes

#undef BLOOMETRY_AESENC
