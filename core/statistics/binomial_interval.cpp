#include "core/statistics/binomial_interval.hpp"

#include <stdexcept>

#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {

Interval clopper_pearson(std::uint64_t hits, std::uint64_t queries, double alpha) {
  if (hits > queries) throw std::domain_error("hits must not exceed queries");
  if (!(alpha > 0.0 && alpha < 1.0)) throw std::domain_error("alpha must be in (0, 1)");
  const double x = static_cast<double>(hits);
  const double misses = static_cast<double>(queries - hits);
  Interval interval;
  if (hits > 0) interval.lower = beta_quantile(x, misses + 1.0, 0.5 * alpha);
  if (hits < queries) interval.upper = beta_quantile_complement(x + 1.0, misses, 0.5 * alpha);
  return interval;
}

}  // namespace bloometry::statistics
