#include "core/theory/counter_tails.hpp"

#include <cmath>
#include <numbers>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {

namespace {

// Up to x = 600, e^-x is a normal number, so the factors are multiplied one by one with one
// rounding each. For larger exponents, lgamma is used, with a relative error of 1e-16 x.
constexpr double kLargeExponent = 600.0;

}  // namespace

double counter_hit_probability(std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  return -std::expm1(k * std::log1p(-1.0 / static_cast<double>(m)));
}

double counter_count_poisson(double load, std::uint64_t count) {
  require_load(load);
  if (load == 0.0) return count == 0 ? 1.0 : 0.0;
  if (load > kLargeExponent) {
    const double x = static_cast<double>(count);
    return std::exp(x * std::log(load) - load - std::lgamma(x + 1.0));
  }
  double pmf = std::exp(-load);
  for (std::uint64_t i = 1; i <= count && pmf > 0.0; ++i) pmf *= load / static_cast<double>(i);
  return pmf;
}

double counter_count_per_position(std::uint64_t n, std::uint64_t m, unsigned k,
                                  std::uint64_t count) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  if (count > n) return 0.0;
  if (m == 1) return count == n ? 1.0 : 0.0;
  const double hit = counter_hit_probability(m, k);
  const double keys = static_cast<double>(n);
  const double hits = static_cast<double>(count);
  const double log_rest = k * (keys - hits) * std::log1p(-1.0 / static_cast<double>(m));
  if (log_rest < -kLargeExponent) {
    return std::exp(log_rest + hits * std::log(hit) + std::lgamma(keys + 1.0) -
                    std::lgamma(hits + 1.0) - std::lgamma(keys - hits + 1.0));
  }
  double pmf = std::exp(log_rest);
  for (double i = 0.0; i < hits && pmf > 0.0; ++i) pmf *= (keys - i) * hit / (i + 1.0);
  return pmf;
}

double fan_counter_bound(double load, std::uint64_t at_least) {
  require_load(load);
  require_domain(at_least > 0, "at_least", "at least 1", at_least);
  const double a = static_cast<double>(at_least);
  return std::pow(std::numbers::e * load / a, a);
}

double counter_tail_poisson(double load, std::uint64_t at_least) {
  require_load(load);
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
  return statistics::binomial_upper_tail(static_cast<double>(n), counter_hit_probability(m, k),
                                         static_cast<double>(at_least));
}

}  // namespace bloometry::theory
