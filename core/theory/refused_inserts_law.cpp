#include "core/theory/refused_inserts_law.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::theory {
namespace {

/// Dispersions (variance / rare_count) at which the law may be negative binomial. Below, it is
/// nearly a Poisson law. Above, repeated keys dominate the variance.
constexpr double kLeastExcess = 1e-6;
constexpr double kMostDispersion = 2;

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
/// variance and a third cumulant between -variance and +variance. The two ends are the laws of a
/// Poisson number and of its mirror image.
double largest_upper_tail(double variance, double x) {
  if (variance >= kLeastNormalVariance) {
    return statistics::normal_upper_tail((x - 0.5) / std::sqrt(variance));
  }
  return std::max(statistics::poisson_upper_tail(variance, variance + x),
                  statistics::poisson_lower_tail(variance, variance - x));
}

void require_moment(double value, std::string_view name, bool may_be_zero) {
  require_domain(std::isfinite(value) && (value > 0.0 || (may_be_zero && value == 0.0)), name,
                 may_be_zero ? "finite and at least 0" : "finite and above 0", value);
}

}  // namespace

RefusedInsertsLaw::RefusedInsertsLaw(const RefusedMoments& moments)
    : moments_(moments), has_moments_(true) {
  require_moment(moments.mean, "mean", false);
  require_moment(moments.variance, "variance", false);
  require_moment(moments.rare_count, "rare_count", true);
  require_moment(moments.mean_error, "mean_error", true);
}

RefusedInsertsLaw RefusedInsertsLaw::of_odds(double odds) {
  require_domain(odds > 0.0 && odds <= 1.0, "odds", "in (0, 1]", odds);
  RefusedInsertsLaw law;
  law.moments_.mean = odds;
  return law;
}

double RefusedInsertsLaw::upper_tail(std::uint64_t num_refused) const {
  if (num_refused == 0) return 1;
  if (!has_moments_) return moments_.mean;
  const double above = static_cast<double>(num_refused) - moments_.mean;
  const double tail = largest_upper_tail(moments_.variance, above);
  const double dispersion = moments_.variance / moments_.rare_count;
  if (!(dispersion > 1 + kLeastExcess && dispersion <= kMostDispersion) ||
      moments_.variance >= kLeastNormalVariance) {
    return tail;
  }
  // The tail of a Poisson number is larger at 1, that of a negative binomial number further out.
  const double rare = moments_.rare_count;
  return std::max({tail, statistics::poisson_upper_tail(rare, rare + above),
                   negative_binomial_upper_tail(rare, moments_.variance, above)});
}

double RefusedInsertsLaw::lower_tail(std::uint64_t num_refused) const {
  if (!has_moments_) return 1;
  const double mean = moments_.mean - moments_.mean_error;
  return largest_upper_tail(moments_.variance, mean - static_cast<double>(num_refused));
}

double RefusedInsertsLaw::two_sided_p_value(std::uint64_t num_refused) const {
  if (!has_moments_) return upper_tail(num_refused);
  return std::min(1.0, 2.0 * std::min(lower_tail(num_refused), upper_tail(num_refused)));
}

}  // namespace bloometry::theory
