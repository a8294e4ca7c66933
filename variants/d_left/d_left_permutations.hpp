#pragma once

#include <array>
#include <cstdint>

#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// The permutations of a d-left filter: P_i(F) = a_i F mod N, for fingerprints F in [0, N) and for
/// i in [0, d). Each factor a_i is coprime to N, so P_i is a bijection of [0, N).
///
/// Source: Bonomi et al. (2006), section 4.2, where N is a power of two. For any N, the remainder
/// is computed without a division: Shoup's quotient floor(a 2^64 / N) gives a F mod N or that plus
/// N (Harvey (2014), "Faster arithmetic for number-theoretic transforms", section 2). N must be
/// below 2^63. The factors are near fixed shares of N, so N alone determines the permutations.
class DLeftPermutations {
 public:
  static constexpr unsigned kMaxNum = 8;

  /// The factor a_i of a permutation.
  struct Factor {
    std::uint64_t value = 0;
    std::uint64_t quotient = 0;  ///< floor(value 2^64 / N)

    friend bool operator==(const Factor&, const Factor&) = default;
  };

  DLeftPermutations(std::uint64_t num_fingerprints, unsigned num_permutations) noexcept;

  /// Returns P_i(fingerprint).
  [[nodiscard, gnu::always_inline]] inline std::uint64_t image(
      unsigned i, std::uint64_t fingerprint) const noexcept {
    const Factor& factor = factors_[i];
    const std::uint64_t quotient = multiply_high(factor.quotient, fingerprint);
    const std::uint64_t rest = factor.value * fingerprint - quotient * num_fingerprints_;
    return rest >= num_fingerprints_ ? rest - num_fingerprints_ : rest;
  }

  [[nodiscard, gnu::always_inline]] inline const Factor& factor(unsigned i) const noexcept {
    return factors_[i];
  }

  [[nodiscard, gnu::always_inline]] inline std::uint64_t num_fingerprints() const noexcept {
    return num_fingerprints_;
  }

  friend bool operator==(const DLeftPermutations&, const DLeftPermutations&) = default;

 private:
  std::uint64_t num_fingerprints_;
  std::array<Factor, kMaxNum> factors_{};
};

}  // namespace bloometry
