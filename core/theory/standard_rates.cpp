#include "core/theory/standard_rates.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/require_domain.hpp"
#include "core/theory/covering_chain.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/occupancy_chain.hpp"

namespace bloometry::theory {
namespace {

/// Returns 1 - (1-1/w)^n, the expected fill of w bits after n keys. With w = 1, the fill is 1 after
/// one key.
double hit_fraction(double n, double w) {
  if (n == 0.0) return 0.0;
  return -std::expm1(n * std::log1p(-1.0 / w));
}

}  // namespace

double linear_rate(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const double load = static_cast<double>(n) * k / static_cast<double>(m);
  return std::min(1.0, std::pow(load, k));
}

double classic_rate(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const double load = static_cast<double>(n) * k / static_cast<double>(m);
  return std::pow(-std::expm1(-load), k);
}

double semi_rate(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  return std::pow(hit_fraction(static_cast<double>(n) * k, static_cast<double>(m)), k);
}

double goel_gupta_upper_rate(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  if (n == 0) return 0.0;
  if (m == 1) return 1.0;
  const double load = k * (static_cast<double>(n) + 0.5) / (static_cast<double>(m) - 1.0);
  return std::pow(-std::expm1(-load), k);
}

double second_order_rate(std::uint64_t n, std::uint64_t m, unsigned k) {
  const FillMoments fill = fill_moments(ProbeModel::kWithReplacement, n, m, k);
  if (n == 0) return 0.0;
  const double mu = fill.mean / static_cast<double>(m);
  const double relative_variance = fill.variance / (fill.mean * fill.mean);
  return std::pow(mu, k) * (1.0 + 0.5 * k * (k - 1.0) * relative_variance);
}

double exact_rate_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k) {
  return occupancy_any_hit_rate(n, m, k);
}

double exact_rate_distinct(std::uint64_t n, std::uint64_t m, unsigned k) {
  return cover_probability_distinct(n, m, k, k);
}

double exact_rate_partitioned(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kPartitioned, m, k);
  const double keys = static_cast<double>(n);
  const double short_slice = static_cast<double>(m / k);
  const auto num_long = static_cast<unsigned>(m % k);
  return std::pow(hit_fraction(keys, short_slice + 1.0), num_long) *
         std::pow(hit_fraction(keys, short_slice), k - num_long);
}

double exact_rate_of_slices(std::uint64_t n, std::span<const std::uint64_t> slice_bits) {
  require_domain(!slice_bits.empty(), "number of slices", "at least 1", slice_bits.size());
  double rate = 1.0;
  for (const std::uint64_t w : slice_bits) {
    require_geometry(ProbeModel::kPartitioned, w, 1);
    rate *= hit_fraction(static_cast<double>(n), static_cast<double>(w));
  }
  return rate;
}

double exact_rate(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  switch (model) {
    case ProbeModel::kWithReplacement:
      return exact_rate_with_replacement(n, m, k);
    case ProbeModel::kDistinct:
      return exact_rate_distinct(n, m, k);
    case ProbeModel::kPartitioned:
      return exact_rate_partitioned(n, m, k);
  }
  throw std::domain_error("unknown probe model");
}

}  // namespace bloometry::theory
