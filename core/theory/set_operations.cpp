#include "core/theory/set_operations.hpp"

#include <algorithm>
#include <cmath>

#include "core/theory/geometry_check.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {
namespace {

void require_sets(const TwoSets& sets) {
  require_at_most("n_common", sets.n_common, "min(n_a, n_b)", std::min(sets.n_a, sets.n_b));
}

/// Returns ln P(a bit stays 0) after n keys. The result for 0 keys is 0, even if m = 1.
double log_zero(std::uint64_t n, std::uint64_t m, unsigned k) {
  if (n == 0) return 0.0;
  return static_cast<double>(n) * k * std::log1p(-1.0 / static_cast<double>(m));
}

}  // namespace

double and_fill_mean(const TwoSets& sets, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  require_sets(sets);
  const double common = log_zero(sets.n_common, m, k);
  const double only_a = log_zero(sets.n_a - sets.n_common, m, k);
  const double only_b = log_zero(sets.n_b - sets.n_common, m, k);
  return -std::expm1(common) + std::exp(common) * std::expm1(only_a) * std::expm1(only_b);
}

double and_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k) {
  return std::pow(and_fill_mean(sets, m, k), k);
}

double intersection_filter_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k) {
  require_sets(sets);
  return semi_rate(sets.n_common, m, k);
}

double or_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k) {
  require_sets(sets);
  return semi_rate(sets.n_a + (sets.n_b - sets.n_common), m, k);
}

}  // namespace bloometry::theory
