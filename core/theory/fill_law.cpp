#include "core/theory/fill_law.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/occupancy_band.hpp"

namespace bloometry::theory {
namespace {

constexpr double kExactCostLimit = 2e7;      // steps of the recurrence (theory 9.3)
constexpr double kPoissonMeanLimit = 1e4;    // for larger means, the normal law is as accurate
constexpr double kLoadOfLargestSd = 1.2564;  // argmax of e^-L (1 - (1+L) e^-L)

/// Returns 2 (12 sd + 40) + 1 for the largest sd during the inserts, limited to the number of
/// possible values.
double band_width(double num_throws, double num_bits, unsigned probes_per_key) {
  const double widest = std::min(num_throws, kLoadOfLargestSd * num_bits);
  const auto keys = static_cast<std::uint64_t>(widest / probes_per_key) + 1;
  const auto bits = static_cast<std::uint64_t>(num_bits);
  const auto model = probes_per_key == 1 ? ProbeModel::kWithReplacement : ProbeModel::kDistinct;
  const double sd = std::sqrt(fill_moments(model, keys, bits, probes_per_key).variance);
  return std::min({2.0 * (12.0 * sd + 40.0) + 1.0, num_bits + 1.0, num_throws + 1.0});
}

Band slices_band(std::span<const SliceGroup> slices) {
  Band total;
  for (const SliceGroup& group : slices) {
    const Band one = occupancy_band(group.num_keys, group.slice_bits, 1);
    for (std::uint64_t i = 0; i < group.num_slices; ++i) total = convolved(total, one);
  }
  return total;
}

double slices_cost(std::span<const SliceGroup> slices, double total_sd) {
  const double total_band = 2.0 * (12.0 * total_sd + 40.0) + 1.0;
  double cost = 0.0;
  for (const SliceGroup& group : slices) {
    const double keys = static_cast<double>(group.num_keys);
    const double band = band_width(keys, static_cast<double>(group.slice_bits), 1);
    cost += keys * band + static_cast<double>(group.num_slices) * band * total_band;
  }
  return cost;
}

std::vector<SliceGroup> partitioned_slices(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kPartitioned, m, k);
  if (m % k == 0) return {{n, m / k, k}};
  return {{n, m / k + 1, m % k}, {n, m / k, k - m % k}};
}

}  // namespace

FillLaw::FillLaw(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(model, m, k);
  if (model == ProbeModel::kPartitioned) {
    *this = FillLaw(partitioned_slices(n, m, k));
    return;
  }
  moments_ = fill_moments(model, n, m, k);
  num_bits_ = static_cast<double>(m);
  num_throws_ = static_cast<double>(n) * k;
  const bool distinct = model == ProbeModel::kDistinct;
  const unsigned probes_per_key = distinct ? k : 1;
  if (num_throws_ * band_width(num_throws_, num_bits_, probes_per_key) <= kExactCostLimit) {
    const Band band = occupancy_band(distinct ? n : n * k, m, probes_per_key);
    use_exact(band.first, band.pmf);
  } else {
    use_limit_law(expected_collisions(model, n, m, k), expected_zeros(model, n, m, k));
  }
}

FillLaw::FillLaw(std::span<const SliceGroup> slices) {
  double collisions = 0.0;
  double zeros = 0.0;
  for (const auto& [keys, bits, count] : slices) {
    const auto model = ProbeModel::kWithReplacement;
    const double copies = static_cast<double>(count);
    const FillMoments fill = fill_moments(model, keys, bits, 1);
    moments_.mean += copies * fill.mean;
    moments_.variance += copies * fill.variance;
    collisions += copies * expected_collisions(model, keys, bits, 1);
    zeros += copies * expected_zeros(model, keys, bits, 1);
    num_throws_ += copies * static_cast<double>(keys);
    num_bits_ += copies * static_cast<double>(bits);
  }
  if (slices_cost(slices, std::sqrt(moments_.variance)) <= kExactCostLimit) {
    const Band band = slices_band(slices);
    use_exact(band.first, band.pmf);
  } else {
    use_limit_law(collisions, zeros);
  }
}

std::optional<FillLaw> FillLaw::normal_if_many(const FillMoments& moments, double num_throws,
                                               double num_zeros) {
  if (std::min(num_zeros, num_throws - moments.mean) < kPoissonMeanLimit) return std::nullopt;
  FillLaw law;
  law.method_ = Method::kNormal;
  law.moments_ = moments;
  law.num_throws_ = num_throws;
  law.num_bits_ = moments.mean + num_zeros;
  return law;
}

void FillLaw::use_exact(std::uint64_t first, std::vector<double> pmf) {
  method_ = Method::kExact;
  first_ = first;
  pmf_ = std::move(pmf);
  const double total = std::accumulate(pmf_.begin(), pmf_.end(), 0.0);
  for (double& p : pmf_)
    p /= total;  // corrects the rounding of the recurrence and omitted probabilities
  // Each tail is summed from its outer end, so that a small tail keeps its precision.
  lower_.resize(pmf_.size());
  upper_.resize(pmf_.size());
  std::partial_sum(pmf_.begin(), pmf_.end(), lower_.begin());
  std::partial_sum(pmf_.rbegin(), pmf_.rend(), upper_.rbegin());
}

void FillLaw::use_limit_law(double collisions, double zeros) {
  poisson_mean_ = std::min(collisions, zeros);
  if (poisson_mean_ >= kPoissonMeanLimit) {
    method_ = Method::kNormal;
  } else {
    method_ = collisions <= zeros ? Method::kPoissonCollisions : Method::kPoissonZeros;
  }
}

double FillLaw::rare_count(double num_ones) const {
  return (method_ == Method::kPoissonCollisions ? num_throws_ : num_bits_) - num_ones;
}

FillLaw::Support FillLaw::support() const {
  if (method_ == Method::kExact) return {first_, first_ + pmf_.size() - 1};
  return {0, static_cast<std::uint64_t>(std::min(num_bits_, num_throws_))};
}

double FillLaw::pmf(std::uint64_t num_ones) const {
  if (method_ != Method::kExact) {
    const double below = num_ones == 0 ? 0.0 : cdf(num_ones - 1);
    return std::max(0.0, cdf(num_ones) - below);
  }
  if (num_ones < first_ || num_ones - first_ >= pmf_.size()) return 0.0;
  return pmf_[static_cast<std::size_t>(num_ones - first_)];
}

double FillLaw::cdf(std::uint64_t num_ones) const {
  const double ones = static_cast<double>(num_ones);
  if (method_ == Method::kNormal) {
    return statistics::normal_upper_tail((mean() - ones - 0.5) / std::sqrt(variance()));
  }
  if (method_ != Method::kExact) {
    return statistics::poisson_upper_tail(poisson_mean_, rare_count(ones));
  }
  if (num_ones < first_) return 0.0;
  const std::uint64_t index = std::min<std::uint64_t>(num_ones - first_, lower_.size() - 1);
  return std::min(1.0, lower_[static_cast<std::size_t>(index)]);
}

double FillLaw::upper_tail(std::uint64_t num_ones) const {
  const double ones = static_cast<double>(num_ones);
  if (num_ones == 0) return 1.0;
  if (method_ == Method::kNormal) {
    return statistics::normal_upper_tail((ones - 0.5 - mean()) / std::sqrt(variance()));
  }
  if (method_ != Method::kExact) {
    return statistics::poisson_lower_tail(poisson_mean_, rare_count(ones));
  }
  if (num_ones <= first_) return 1.0;
  if (num_ones - first_ >= upper_.size()) return 0.0;
  return std::min(1.0, upper_[static_cast<std::size_t>(num_ones - first_)]);
}

double FillLaw::two_sided_p_value(std::uint64_t num_ones) const {
  return std::min(1.0, 2.0 * std::min(cdf(num_ones), upper_tail(num_ones)));
}

double FillLaw::log_centred_mgf(double theta) const {
  if (method_ == Method::kNormal) return theta * theta * variance() / 2.0;
  // X is a constant minus the count of the rarer event.
  if (method_ != Method::kExact) return poisson_mean_ * (std::expm1(-theta) + theta);
  const auto exponent = [&](std::size_t i) {
    return theta * (static_cast<double>(first_) + static_cast<double>(i) - mean());
  };
  const double largest = std::max(exponent(0), exponent(pmf_.size() - 1));
  double sum = 0.0;
  for (std::size_t i = 0; i < pmf_.size(); ++i) sum += pmf_[i] * std::exp(exponent(i) - largest);
  return largest + std::log(sum);
}

double FillLaw::randomised_pit(std::uint64_t num_ones, double v) const {
  require_domain(v >= 0.0 && v <= 1.0, "v", "in [0, 1]", v);
  return std::min(1.0, (num_ones == 0 ? 0.0 : cdf(num_ones - 1)) + v * pmf(num_ones));
}

}  // namespace bloometry::theory
