#include "core/theory/modulo_scheme.hpp"

#include <numeric>

#include "core/probe/double_hashing.hpp"

namespace bloometry::theory {

std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t m) noexcept {
  std::uint64_t product = 0;
  for (std::uint64_t term = b % m; a != 0; a >>= 1U) {
    if ((a & 1U) != 0) product = add_modulo(product, term, m);
    term = add_modulo(term, term, m);
  }
  return product;
}

Congruence solve_congruence(std::int64_t coefficient, std::uint64_t target, std::uint64_t m,
                            Draws& draws) {
  const bool is_negative = coefficient < 0;
  std::uint64_t c = static_cast<std::uint64_t>(is_negative ? -coefficient : coefficient) % m;
  std::uint64_t t = is_negative ? subtract_modulo(0, target, m) : target;
  const std::uint64_t divisor = std::gcd(c, m);  // m if c is 0
  if (t % divisor != 0) return {};
  const std::uint64_t period = m / divisor;
  c /= divisor;
  t /= divisor;
  // x = (t + y period) / c for the y in [0, c) that makes the division exact. The coefficients are
  // multipliers of indices, so c is small.
  std::uint64_t solution = 0;
  if (c > 0) {
    const std::uint64_t quotient = period / c;
    const std::uint64_t rest = period % c;
    std::uint64_t y = 0;
    std::uint64_t remainder = t % c;
    for (; remainder != 0; ++y) remainder = (remainder + rest) % c;
    solution = (quotient * y + (t + rest * y) / c) % period;
  }
  return {solution + period * draws.next(divisor), divisor};
}

}  // namespace bloometry::theory
