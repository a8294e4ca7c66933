#include "core/theory/hash_collisions.hpp"

#include <cmath>
#include <stdexcept>

namespace bloometry::theory {

double collision_floor(std::uint64_t n, unsigned hash_bits) {
  if (hash_bits == 0 || hash_bits > 1000) {
    throw std::domain_error("hash_bits must be in [1, 1000]");
  }
  const double same = std::ldexp(1.0, -static_cast<int>(hash_bits));
  return -std::expm1(static_cast<double>(n) * std::log1p(-same));
}

}  // namespace bloometry::theory
