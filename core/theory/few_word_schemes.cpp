#include "core/theory/few_word_schemes.hpp"

#include <cmath>
#include <numeric>

namespace bloometry::theory {

std::uint64_t FastrangeSums::word_in(std::uint64_t cell, Draws& draws) const noexcept {
  const long double inside = static_cast<long double>(random_word(draws)) * 0x1p-64L;
  const long double share =
      (static_cast<long double>(cell) + inside) / static_cast<long double>(num_bits_);
  return static_cast<std::uint64_t>(std::ldexp(share, 64));
}

void FastrangeSums::through(KeyWords& words, unsigned i, std::uint64_t at, unsigned j,
                            std::uint64_t to, Draws& draws) const noexcept {
  const std::uint64_t distance = i < j ? j - i : i - j;
  const std::uint64_t difference = i < j ? to - at : at - to;
  // The division by the distance is exact up to distance^2 units of 2^-64.
  const std::uint64_t turn = ~std::uint64_t{0} / distance;
  words[1] = difference / distance + draws.next(distance) * turn;
  words[0] = at - i * words[1];
}

namespace {

/// The factor of DCSO/bloom.
constexpr std::uint64_t kFactor = 18446744073709550147U;

/// Returns the inverse of an odd number modulo 2^64, by Newton's iteration.
std::uint64_t inverse_of_odd(std::uint64_t x) {
  std::uint64_t inverse = x;
  for (int i = 0; i < 5; ++i) inverse *= 2 - x * inverse;
  return inverse;
}

std::uint64_t power(std::uint64_t x, unsigned exponent) {
  std::uint64_t product = 1;
  for (; exponent > 0; --exponent) product *= x;
  return product;
}

}  // namespace

std::uint64_t FactorIndices::residue(const KeyWords& words, unsigned i) const noexcept {
  if (words[4] == i + 1) return words[2];
  if (words[5] == i + 1) return words[3];
  return fastrange(mix64(words[1] + i * kGoldenGamma), odd_);
}

std::uint64_t FactorIndices::after(std::uint64_t x, unsigned i) const noexcept {
  return x * power(kFactor, i) & (low_ - 1);
}

void FactorIndices::indices(const KeyWords& words, std::span<std::uint64_t> out) const noexcept {
  std::uint64_t low = words[0];
  for (unsigned i = 0; i < out.size(); ++i, low = low * kFactor & (low_ - 1)) {
    out[i] = joined(low, residue(words, i));
  }
}

double FactorIndices::meet(KeyWords& words, unsigned i, unsigned j, Draws& draws) const noexcept {
  // The low bits are equal if low * (factor^(j-i) - 1) is 0 modulo 2^e.
  const std::uint64_t difference = power(kFactor, j - i) - 1;
  const std::uint64_t num_solutions = std::gcd(difference & (low_ - 1), low_);
  words[0] = low_ / num_solutions * draws.next(num_solutions);
  words[2] = residue(words, i);
  words[4] = j + 1;
  return static_cast<double>(num_solutions) / static_cast<double>(num_bits_);
}

double FactorIndices::place(KeyWords& words, unsigned i, std::uint64_t first, unsigned j,
                            std::uint64_t second, Draws& /*draws*/) const noexcept {
  words[0] = first / odd_ * power(inverse_of_odd(kFactor), i) & (low_ - 1);
  if (after(words[0], j) != second / odd_) return 0;
  words[2] = first % odd_;
  words[3] = second % odd_;
  words[4] = i + 1;
  words[5] = j + 1;
  const auto odd = static_cast<double>(odd_);
  return 1 / (static_cast<double>(low_) * odd * odd);
}

}  // namespace bloometry::theory
