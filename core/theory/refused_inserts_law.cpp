#include "core/theory/refused_inserts_law.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::theory {
namespace {

/// Dispersion (variance / rare_count) from which the law may be negative binomial. Below, it is
/// nearly a Poisson law.
constexpr double kLeastDispersion = 1 + 1e-6;

/// Variance from which the normal law is used. Six standard deviations from the mean, a third
/// cumulant equal to the variance changes its tails by 4 %.
constexpr double kLeastNormalVariance = 1e6;

/// Returns P(X >= mean + x) for the negative binomial law with a variance above the mean.
double negative_binomial_upper_tail(double mean, double variance, double x) {
  if (mean + x <= 0) return 1;
  const double dispersion = variance / mean;
  const double size = mean / (dispersion - 1);
  return statistics::binomial_upper_tail(mean + x + size - 1, 1 - 1 / dispersion, mean + x);
}

/// Returns the largest probability of a value at least x above the mean, of laws with the given
/// variance and a third cumulant between -g variance and +g variance. The two ends are the laws of
/// g times a Poisson number and of its mirror image.
double largest_upper_tail(double variance, double g, double x) {
  if (variance >= kLeastNormalVariance) {
    return statistics::normal_upper_tail((x - 0.5) / std::sqrt(variance));
  }
  const double groups = variance / (g * g);
  return std::max(statistics::poisson_upper_tail(groups, groups + x / g),
                  statistics::poisson_lower_tail(groups, groups - x / g));
}

double upper_tail_of(const RefusedMoments& moments, double num_refused) {
  const double above = num_refused - moments.mean;
  const double tail = largest_upper_tail(moments.variance, moments.group_size, above);
  const double rare = moments.rare_count;
  if (!(moments.variance > kLeastDispersion * rare && rare > 0) ||
      moments.variance >= kLeastNormalVariance) {
    return tail;
  }
  // The tail of a Poisson number is larger at 1, that of a negative binomial number further out.
  return std::max({tail, statistics::poisson_upper_tail(rare, rare + above),
                   negative_binomial_upper_tail(rare, moments.variance, above)});
}

double lower_tail_of(const RefusedMoments& moments, double num_refused) {
  return largest_upper_tail(moments.variance, moments.group_size,
                            moments.mean - moments.mean_error - num_refused);
}

void require_moment(double value, std::string_view name, bool may_be_zero) {
  require_domain(std::isfinite(value) && (value > 0.0 || (may_be_zero && value == 0.0)), name,
                 may_be_zero ? "finite and at least 0" : "finite and above 0", value);
}

void require_moments(const RefusedMoments& moments) {
  require_moment(moments.mean, "mean", false);
  require_moment(moments.variance, "variance", false);
  require_moment(moments.rare_count, "rare_count", true);
  require_moment(moments.mean_error, "mean_error", true);
  require_moment(moments.group_size, "group_size", false);
}

}  // namespace

RefusedInsertsLaw::RefusedInsertsLaw(const RefusedMoments& moments)
    : RefusedInsertsLaw(std::vector{RefusedCase{.probability = 1, .moments = moments}}) {}

RefusedInsertsLaw::RefusedInsertsLaw(std::vector<RefusedCase> cases) : cases_(std::move(cases)) {
  require_domain(!cases_.empty(), "cases", "at least one", cases_.size());
  for (const RefusedCase& part : cases_) {
    require_moments(part.moments);
    mean_ += part.probability * part.moments.mean;
  }
  for (const RefusedCase& part : cases_) {
    const double distance = part.moments.mean - mean_;
    variance_ += part.probability * (part.moments.variance + distance * distance);
  }
}

RefusedInsertsLaw RefusedInsertsLaw::of_odds(double odds) {
  require_domain(odds > 0.0 && odds <= 1.0, "odds", "in (0, 1]", odds);
  RefusedInsertsLaw law;
  law.mean_ = odds;
  return law;
}

double RefusedInsertsLaw::upper_tail(std::uint64_t num_refused) const {
  if (num_refused == 0) return 1;
  if (!has_moments()) return mean_;
  double tail = 0;
  for (const RefusedCase& part : cases_) {
    tail += part.probability * upper_tail_of(part.moments, static_cast<double>(num_refused));
  }
  return std::min(tail, 1.0);
}

double RefusedInsertsLaw::lower_tail(std::uint64_t num_refused) const {
  if (!has_moments()) return 1;
  double tail = 0;
  for (const RefusedCase& part : cases_) {
    tail += part.probability *
            (part.is_bound ? 1 : lower_tail_of(part.moments, static_cast<double>(num_refused)));
  }
  return std::min(tail, 1.0);
}

double RefusedInsertsLaw::two_sided_p_value(std::uint64_t num_refused) const {
  if (!has_moments()) return upper_tail(num_refused);
  return std::min(1.0, 2.0 * std::min(lower_tail(num_refused), upper_tail(num_refused)));
}

}  // namespace bloometry::theory
