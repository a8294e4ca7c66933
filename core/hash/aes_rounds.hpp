#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/little_endian.hpp"

namespace bloometry {

/// State of AES, which has 16 bytes. The word lo is bytes 0 to 7 and the word hi is bytes 8 to 15,
/// both little-endian.
struct AesState {
  std::uint64_t lo;
  std::uint64_t hi;

  friend constexpr AesState operator^(const AesState& a, const AesState& b) noexcept {
    return {a.lo ^ b.lo, a.hi ^ b.hi};
  }

  friend bool operator==(const AesState&, const AesState&) noexcept = default;
};

/// Returns the state after num_rounds rounds of AES with one round key. A round is SubBytes,
/// ShiftRows, MixColumns and AddRoundKey (FIPS 197, section 5.1). The instruction AESENC computes
/// the same round. The function aes_rounds uses a lookup table.
[[nodiscard]] AesState aes_rounds(AesState state, const AesState& round_key,
                                  unsigned num_rounds) noexcept;

namespace aes {

/// Rounds of AES in software. The struct Instructions of each architecture has the same members as
/// Software.
struct Software {
  using Register = AesState;

  static Register load(const AesState& state) noexcept { return state; }

  /// Returns the 16 bytes that begin at `bytes`.
  static Register load_bytes(const char* bytes) noexcept {
    return {load_little_endian<std::uint64_t>(bytes), load_little_endian<std::uint64_t>(bytes + 8)};
  }

  static Register of_words(std::uint64_t lo, std::uint64_t hi) noexcept { return {lo, hi}; }

  static Register exclusive_or(const Register& a, const Register& b) noexcept { return a ^ b; }

  template <unsigned kNumRounds>
  static Register rounds(const Register& state, const Register& round_key) noexcept {
    return aes_rounds(state, round_key, kNumRounds);
  }

  static Digest digest(const Register& state) noexcept { return {state.lo, state.hi}; }
};

}  // namespace aes
}  // namespace bloometry
