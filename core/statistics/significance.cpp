#include "core/statistics/significance.hpp"

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

void require_level(double alpha) {
  require_domain(alpha > 0.0 && alpha < 1.0, "level", "in (0, 1)", alpha);
}

}  // namespace

double bonferroni_threshold(double false_alarm, std::uint64_t num_tests) {
  require_level(false_alarm);
  require_domain(num_tests > 0, "num_tests", "at least 1", num_tests);
  return false_alarm / static_cast<double>(num_tests);
}

double two_sided_z(double alpha) {
  require_level(alpha);
  return normal_upper_quantile(0.5 * alpha);
}

double queries_for_relative_precision(double p, double rel, double alpha) {
  require_domain(p > 0.0 && p <= 1.0, "p", "in (0, 1]", p);
  require_domain(rel > 0.0, "rel", "above 0", rel);
  const double z = two_sided_z(alpha);
  return z * z * (1.0 - p) / (p * rel * rel);
}

}  // namespace bloometry::statistics
