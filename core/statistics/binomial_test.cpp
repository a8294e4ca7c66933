#include "core/statistics/binomial_test.hpp"

#include <algorithm>
#include <cmath>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

void require_counts(std::uint64_t positives, std::uint64_t queries, double rate) {
  require_at_most("positives", positives, "queries", queries);
  require_domain(rate >= 0.0 && rate <= 1.0, "rate", "in [0, 1]", rate);
}

}  // namespace

double binomial_two_sided_p_value(std::uint64_t positives, std::uint64_t queries, double rate) {
  require_counts(positives, queries, rate);
  const double x = static_cast<double>(positives);
  const double trials = static_cast<double>(queries);
  const double tail =
      std::min(binomial_lower_tail(trials, rate, x), binomial_upper_tail(trials, rate, x));
  return std::min(1.0, 2.0 * tail);
}

double binomial_randomised_pit(std::uint64_t positives, std::uint64_t queries, double rate,
                               double v) {
  require_counts(positives, queries, rate);
  require_domain(v >= 0.0 && v <= 1.0, "v", "in [0, 1]", v);
  const double x = static_cast<double>(positives);
  const double trials = static_cast<double>(queries);
  const double below = binomial_lower_tail(trials, rate, x - 1.0);
  return below + v * (binomial_lower_tail(trials, rate, x) - below);
}

}  // namespace bloometry::statistics
