#include "tests/support/reference/goodness_of_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/require_domain.hpp"

namespace bloometry::test {
namespace {

/// Returns 1 - K(x), where K is the distribution function of Kolmogorov's limit law. Uses different
/// series for x < 1.18 and for larger x, both of which converge fast.
double kolmogorov_upper_tail(double x) {
  constexpr double kPi = std::numbers::pi;
  if (x < 0.04) return 1.0;  // K(0.04) < 1e-300
  double sum = 0.0;
  if (x < 1.18) {
    for (int i = 1; i <= 9; i += 2) sum += std::exp(-i * i * kPi * kPi / (8.0 * x * x));
    return 1.0 - std::sqrt(2.0 * kPi) / x * sum;
  }
  for (int i = 1; i <= 6; ++i) sum += (i % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * i * i * x * x);
  return sum;
}

/// The largest distances of the empirical distribution above and below the uniform distribution.
struct Distances {
  double above = 0.0;
  double below = 0.0;
};

Distances distances_from_uniform(std::span<const double> values) {
  require_domain(!values.empty(), "number of values", "at least 1", values.size());
  for (const double v : values) require_domain(v >= 0.0 && v <= 1.0, "value", "in [0, 1]", v);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double n = static_cast<double>(sorted.size());
  Distances distances;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double rank = static_cast<double>(i);
    distances.above = std::max(distances.above, (rank + 1.0) / n - sorted[i]);
    distances.below = std::max(distances.below, sorted[i] - rank / n);
  }
  return distances;
}

void require_distance(double statistic, std::uint64_t num_values) {
  require_domain(num_values > 0, "num_values", "at least 1", num_values);
  require_domain(statistic >= 0.0 && statistic <= 1.0, "statistic", "in [0, 1]", statistic);
}

}  // namespace

double chi_square_statistic(std::span<const std::uint64_t> observed) {
  const auto total = std::accumulate(observed.begin(), observed.end(), std::uint64_t{0});
  require_domain(observed.size() >= 2, "number of cells", "at least 2", observed.size());
  require_domain(total > 0, "number of observations", "at least 1", total);
  const double expected = static_cast<double>(total) / static_cast<double>(observed.size());
  double sum = 0.0;
  for (const std::uint64_t count : observed) {
    const double excess = static_cast<double>(count) - expected;
    sum += excess * excess / expected;
  }
  return sum;
}

double kolmogorov_statistic(std::span<const double> values) {
  const Distances distances = distances_from_uniform(values);
  return std::max(distances.above, distances.below);
}

double kolmogorov_excess(std::span<const double> values) {
  return distances_from_uniform(values).above;
}

double kolmogorov_p_value_bound(double statistic, std::uint64_t num_values) {
  require_distance(statistic, num_values);
  const double n = static_cast<double>(num_values);
  return std::min(1.0, 2.0 * std::exp(-2.0 * n * statistic * statistic));
}

double kolmogorov_p_value(double statistic, std::uint64_t num_values) {
  require_distance(statistic, num_values);
  const double root = std::sqrt(static_cast<double>(num_values));
  return std::clamp(kolmogorov_upper_tail((root + 0.12 + 0.11 / root) * statistic), 0.0, 1.0);
}

}  // namespace bloometry::test
