#include "core/theory/fill_moments.hpp"

#include <cmath>

#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

/// Returns e^x - 1 - x.
double exp_excess(double x) {
  if (std::abs(x) > 0.5) return std::expm1(x) - x;
  double term = 0.5 * x * x;
  double sum = 0.0;
  for (int i = 3; std::abs(term) > 1e-18 * std::abs(sum); ++i) {
    sum += term;
    term *= x / i;
  }
  return sum;
}

/// Returns -ln(1-x) - x for 0 <= x <= 1.
double log_excess(double x) {
  if (x > 0.5) return -std::log1p(-x) - x;
  double power = x * x;
  double sum = 0.0;
  for (int i = 2; power > 1e-18 * sum; ++i) {
    sum += power / i;
    power *= x;
  }
  return sum;
}

/// The inserts of `keys` keys, each of which sets `probes` distinct bits out of m. DistinctDraws
/// describes model D. With probes = 1, DistinctDraws describes model W, and `keys` is the number of
/// probes of all keys.
struct DistinctDraws {
  double keys;
  double probes;
  double m;

  double hit_per_key() const { return probes / m; }

  double all_miss_exponent() const { return keys == 0.0 ? 0.0 : -keys * std::log1p(-probes / m); }
};

FillMoments moments(const DistinctDraws& draws) {
  const auto [n, k, m] = draws;
  if (n == 0.0) return {};
  const double a = draws.all_miss_exponent();  // P(a bit stays 0) = e^-a
  const double mean = -m * std::expm1(-a);
  if (n <= 1.0 || m == k) return {mean, 0.0};  // X is k or m, without variance
  // For two bits, P(both stay 0) = e^-2a (1 - eps)^n.
  const double eps = k / ((m - 1.0) * (m - k));
  const double y = -n * std::log1p(-eps);
  if (a > 0.5) {
    const double c = -(m - 1.0) * std::expm1(-y);
    const double per_bit = -std::expm1(-a) - c * std::exp(-a);
    return {mean, m * std::exp(-a) * std::fmax(0.0, per_bit)};
  }
  // Var = m e^-2a [(e^a - 1 - a) + (a - c)]. The leading terms of a and c are subtracted
  // algebraically.
  const double a_minus_c = -n * k * k / (m * (m - k)) + n * log_excess(k / m) -
                           (m - 1.0) * (n * log_excess(eps) - exp_excess(-y));
  return {mean, m * std::exp(-2.0 * a) * std::fmax(0.0, exp_excess(a) + a_minus_c)};
}

double collisions(const DistinctDraws& draws) {
  if (draws.keys <= 1.0) return 0.0;
  const double a = draws.all_miss_exponent();
  if (!(a <= 0.5)) return draws.keys * draws.probes + draws.m * std::expm1(-a);
  // The result is nk - m(1 - e^-a) with nk/m = a - n log_excess(k/m).
  return draws.m * (exp_excess(-a) - draws.keys * log_excess(draws.hit_per_key()));
}

/// Returns the sum of figure(slice length) over the k slices: m mod k slices are longer by one bit
/// than the other slices.
template <class PerSlice>
double over_slices(std::uint64_t m, unsigned k, PerSlice&& figure) {
  const double num_long = static_cast<double>(m % k);
  const double width = static_cast<double>(m / k);
  return num_long * figure(width + 1.0) + (k - num_long) * figure(width);
}

DistinctDraws draws_of(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  const double keys = static_cast<double>(n);
  if (model == ProbeModel::kDistinct) {
    return {keys, static_cast<double>(k), static_cast<double>(m)};
  }
  return {keys * k, 1.0, static_cast<double>(m)};
}

}  // namespace

FillMoments fill_moments(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(model, m, k);
  if (model != ProbeModel::kPartitioned) return moments(draws_of(model, n, m, k));
  const double keys = static_cast<double>(n);
  return {over_slices(m, k,
                      [keys](double w) {
                        return moments({keys, 1.0, w}).mean;
                      }),
          over_slices(m, k, [keys](double w) {
            return moments({keys, 1.0, w}).variance;
          })};
}

double expected_collisions(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(model, m, k);
  if (model != ProbeModel::kPartitioned) {
    return std::fmax(0.0, collisions(draws_of(model, n, m, k)));
  }
  const double keys = static_cast<double>(n);
  return std::fmax(0.0, over_slices(m, k, [keys](double w) { return collisions({keys, 1.0, w}); }));
}

double expected_zeros(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(model, m, k);
  const auto zeros = [](const DistinctDraws& draws) {
    return draws.m * std::exp(-draws.all_miss_exponent());
  };
  if (model != ProbeModel::kPartitioned) return zeros(draws_of(model, n, m, k));
  const double keys = static_cast<double>(n);
  return over_slices(m, k, [&](double w) { return zeros({keys, 1.0, w}); });
}

}  // namespace bloometry::theory
