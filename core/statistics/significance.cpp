#include "core/statistics/significance.hpp"

#include <stdexcept>

#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

void require_level(double alpha) {
  if (!(alpha > 0.0 && alpha < 1.0)) throw std::domain_error("level must be in (0, 1)");
}

}  // namespace

double bonferroni_threshold(double false_alarm, std::uint64_t num_tests) {
  require_level(false_alarm);
  if (num_tests == 0) throw std::domain_error("num_tests must be at least 1, got 0");
  return false_alarm / static_cast<double>(num_tests);
}

double two_sided_z(double alpha) {
  require_level(alpha);
  return normal_upper_quantile(0.5 * alpha);
}

double queries_for_relative_precision(double p, double rel, double alpha) {
  if (!(p > 0.0 && p <= 1.0)) throw std::domain_error("p must be in (0, 1]");
  if (!(rel > 0.0)) throw std::domain_error("rel must be positive");
  const double z = two_sided_z(alpha);
  return z * z * (1.0 - p) / (p * rel * rel);
}

}  // namespace bloometry::statistics
