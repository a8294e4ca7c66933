#include "core/statistics/binomial_interval.hpp"

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {

Interval clopper_pearson(std::uint64_t positives, std::uint64_t queries, double alpha) {
  require_at_most("positives", positives, "queries", queries);
  require_domain(alpha > 0.0 && alpha < 1.0, "alpha", "in (0, 1)", alpha);
  const double x = static_cast<double>(positives);
  const double negatives = static_cast<double>(queries - positives);
  Interval interval;
  if (positives > 0) interval.lower = beta_quantile(x, negatives + 1.0, 0.5 * alpha);
  if (positives < queries)
    interval.upper = beta_quantile_complement(x + 1.0, negatives, 0.5 * alpha);
  return interval;
}

}  // namespace bloometry::statistics
