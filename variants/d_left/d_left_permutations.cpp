#include "variants/d_left/d_left_permutations.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/hash/mix.hpp"

namespace bloometry {
namespace {

/// Returns the first number from `first` on that is coprime to N. After N - 1, the search continues
/// at 1.
std::uint64_t coprime_from(std::uint64_t first, std::uint64_t num_fingerprints) {
  std::uint64_t factor = std::max<std::uint64_t>(first, 1);
  while (std::gcd(factor, num_fingerprints) != 1) factor = factor % (num_fingerprints - 1) + 1;
  return factor;
}

/// Returns floor(value 2^64 / N) by long division; value < N < 2^63.
std::uint64_t shoup_quotient(std::uint64_t value, std::uint64_t num_fingerprints) {
  std::uint64_t quotient = 0;
  std::uint64_t rest = value;
  for (int bit = 0; bit < 64; ++bit) {
    rest *= 2;
    const bool fits = rest >= num_fingerprints;
    quotient = 2 * quotient + (fits ? 1 : 0);
    if (fits) rest -= num_fingerprints;
  }
  return quotient;
}

}  // namespace

DLeftPermutations::DLeftPermutations(std::uint64_t num_fingerprints,
                                     unsigned num_permutations) noexcept
    : num_fingerprints_(num_fingerprints) {
  assert(num_fingerprints >= 2 && num_fingerprints < std::uint64_t{1} << 63U);
  assert(num_permutations <= kMaxNum);
  for (unsigned i = 0; i < num_permutations; ++i) {
    // The shares of N are pseudorandom. If a share were a small multiple of another one, two
    // candidate buckets of a key would be correlated. The sum of the third and the fourth share is
    // near 1, 0.9973, so that the next coprime numbers add up to N for some small N (README.md).
    const std::uint64_t share = mix64((i + 1) * kGoldenGamma);
    const std::uint64_t value = coprime_from(fastrange(share, num_fingerprints), num_fingerprints);
    factors_[i] = {value, shoup_quotient(value, num_fingerprints)};
  }
}

}  // namespace bloometry
