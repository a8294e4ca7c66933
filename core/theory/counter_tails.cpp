#include "core/theory/counter_tails.hpp"

#include <cmath>
#include <stdexcept>

#include "core/statistics/special_functions.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {

double counter_tail_poisson(double load, std::uint64_t at_least) {
  if (!(load >= 0.0 && std::isfinite(load))) {
    throw std::domain_error("load must be finite and at least 0");
  }
  return statistics::poisson_upper_tail(load, static_cast<double>(at_least));
}

double counter_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k,
                              std::uint64_t at_least) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  return statistics::binomial_upper_tail(static_cast<double>(n) * k, 1.0 / static_cast<double>(m),
                                         static_cast<double>(at_least));
}

double counter_tail_per_position(std::uint64_t n, std::uint64_t m, unsigned k,
                                 std::uint64_t at_least) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const double hit = -std::expm1(k * std::log1p(-1.0 / static_cast<double>(m)));
  return statistics::binomial_upper_tail(static_cast<double>(n), hit,
                                         static_cast<double>(at_least));
}

}  // namespace bloometry::theory
