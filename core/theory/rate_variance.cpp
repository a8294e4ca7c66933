#include "core/theory/rate_variance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/theory/covering_chain.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/occupancy_chain.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {
namespace {

// Error of the difference of the two moments, each of which is accurate to a few 1e-16.
constexpr double kMomentError = 4e-15;
constexpr double kGoodEnough = 1e-8;

/// Returns Var(F)/E[F]^2 to first order in Var(X), which is (F'/F)^2 Var(X) at the mean fill.
double first_order_relative_variance(ProbeModel model, const FillMoments& fill, unsigned k) {
  double slope = k / fill.mean;
  if (model == ProbeModel::kDistinct) {
    slope = 0.0;
    for (unsigned i = 0; i < k; ++i) slope += 1.0 / (fill.mean - i);
  }
  return slope * slope * fill.variance;
}

/// Returns E[F^2] in model D. Two k-subsets share o cells with hypergeometric probability, and
/// probe 2k - o cells together.
double distinct_second_moment(std::uint64_t n, std::uint64_t m, unsigned k) {
  const auto least = static_cast<unsigned>(2 * std::uint64_t{k} > m ? 2 * k - m : 0);
  const double cells = static_cast<double>(m);
  double weight = 1.0;  // relative to the weight at o = least
  double weights = 0.0;
  double sum = 0.0;
  for (unsigned o = least; o <= k; ++o) {
    weights += weight;
    sum += weight * cover_probability_distinct(n, m, k, 2 * k - o);
    const double left = k - o;
    weight *= left * left / ((o + 1.0) * (cells - 2.0 * k + o + 1.0));
  }
  return sum / weights;
}

double partitioned_variance(std::uint64_t n, std::uint64_t m, unsigned k) {
  // prod(mu^2 + v) - prod(mu^2) = prod(mu^2) expm1(sum log1p(v/mu^2)).
  const auto log_excess = [n](std::uint64_t w) {
    const FillMoments fill = fill_moments(ProbeModel::kPartitioned, n, w, 1);
    return std::log1p(fill.variance / (fill.mean * fill.mean));
  };
  const auto num_long = static_cast<unsigned>(m % k);
  double exponent = (k - num_long) * log_excess(m / k);
  if (num_long > 0) exponent += num_long * log_excess(m / k + 1);
  const double rate = exact_rate_partitioned(n, m, k);
  return rate * rate * std::expm1(exponent);
}

/// Returns the rate of a filter with `ones` bits set.
double rate_given_fill(ProbeModel model, double ones, double m, unsigned k) {
  if (model == ProbeModel::kWithReplacement) return std::pow(ones / m, k);
  double rate = 1.0;
  for (unsigned i = 0; i < k; ++i) rate *= std::max(0.0, ones - i) / (m - i);
  return rate;
}

/// Returns E[(F - E F)^2] over the exact law of the fill. The sum avoids cancellation.
double variance_over_law(const FillLaw& law, ProbeModel model, std::uint64_t m, unsigned k,
                         double mean_rate) {
  double sum = 0.0;
  const auto [first, last] = law.support();
  for (std::uint64_t ones = first; ones <= last; ++ones) {
    const double rate =
        rate_given_fill(model, static_cast<double>(ones), static_cast<double>(m), k);
    sum += law.pmf(ones) * (rate - mean_rate) * (rate - mean_rate);
  }
  return sum;
}

double second_moment(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  if (model == ProbeModel::kDistinct) return distinct_second_moment(n, m, k);
  return any_hit_moment(static_cast<double>(n) * k, m, 2 * k);
}

}  // namespace

double rate_variance(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(model, m, k);
  if (n == 0) return 0.0;
  if (model == ProbeModel::kPartitioned) return partitioned_variance(n, m, k);
  const FillMoments fill = fill_moments(model, n, m, k);
  if (fill.variance == 0.0) return 0.0;
  const double rate = exact_rate(model, n, m, k);
  const double first_order = first_order_relative_variance(model, fill, k);
  const double difference_error = kMomentError / first_order;
  if (difference_error > kGoodEnough) {
    const FillLaw law(model, n, m, k);
    if (law.method() == FillLaw::Method::kExact) {
      return variance_over_law(law, model, m, k, rate);
    }
    if (difference_error > k / fill.mean) return rate * rate * first_order;
  }
  return std::max(0.0, second_moment(model, n, m, k) - rate * rate);
}

}  // namespace bloometry::theory
