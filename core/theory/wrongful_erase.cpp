#include "core/theory/wrongful_erase.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/counter_tails.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {

double share_of_ones(double load) {
  if (!(load >= 0.0 && std::isfinite(load))) {
    throw std::domain_error("load must be finite and at least 0");
  }
  return load == 0.0 ? 1.0 : load / std::expm1(load);
}

double members_lost_per_wrongful_erase(double load, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  return k * share_of_ones(load);
}

double members_lost_per_wrongful_erase(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  if (n == 0) return 0.0;
  const double positions = static_cast<double>(m) * counter_hit_probability(m, k);
  return positions * counter_count_per_position(n, m, k, 1) / counter_tail_per_position(n, m, k, 1);
}

}  // namespace bloometry::theory
