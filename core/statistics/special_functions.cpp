#include "core/statistics/special_functions.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/require_domain.hpp"

namespace bloometry::statistics {
namespace {

namespace policies = boost::math::policies;

// With this policy, Boost.Math does not promote values to long double, so that results are
// identical on every machine. Boost.Math throws exceptions on errors.
using Policy = policies::policy<policies::promote_double<false>,
                                policies::domain_error<policies::throw_on_error>,
                                policies::pole_error<policies::throw_on_error>,
                                policies::overflow_error<policies::throw_on_error>,
                                policies::evaluation_error<policies::throw_on_error>>;

double checked(double value) {
  if (std::isnan(value)) throw std::domain_error("special function: result is not a number");
  return value;
}

void require_probability(double p) {
  require_domain(p >= 0.0 && p <= 1.0, "probability", "in [0, 1]", p);
}

double beta_cdf(double a, double b, double x) {
  return checked(boost::math::ibeta(a, b, x, Policy()));
}

double beta_cdf_complement(double a, double b, double x) {
  return checked(boost::math::ibetac(a, b, x, Policy()));
}

double gamma_p(double a, double x) {
  return checked(boost::math::gamma_p(a, x, Policy()));
}

double gamma_q(double a, double x) {
  return checked(boost::math::gamma_q(a, x, Policy()));
}

/// Returns whether P(Poisson(mean) >= x) is below the smallest double, by Chernoff's bound. Boost
/// throws for some of these arguments.
bool is_below_smallest_double(double mean, double x) {
  constexpr double kLogOfSmallest = -746.0;
  return x > mean && x - mean + x * std::log(mean / x) < kLogOfSmallest;
}

}  // namespace

double beta_quantile(double a, double b, double probability) {
  return checked(boost::math::ibeta_inv(a, b, probability, Policy()));
}

double beta_quantile_complement(double a, double b, double probability) {
  return checked(boost::math::ibetac_inv(a, b, probability, Policy()));
}

double normal_upper_tail(double z) {
  return 0.5 * checked(boost::math::erfc(z / std::numbers::sqrt2, Policy()));
}

double normal_upper_quantile(double probability) {
  return std::numbers::sqrt2 * checked(boost::math::erfc_inv(2.0 * probability, Policy()));
}

double binomial_upper_tail(double num_trials, double p, double x) {
  require_probability(p);
  if (x <= 0.0) return 1.0;
  if (x > num_trials) return 0.0;
  return beta_cdf(x, num_trials - x + 1.0, p);
}

double binomial_lower_tail(double num_trials, double p, double x) {
  require_probability(p);
  if (x < 0.0) return 0.0;
  if (x >= num_trials) return 1.0;
  return beta_cdf_complement(x + 1.0, num_trials - x, p);
}

double poisson_upper_tail(double mean, double x) {
  if (x <= 0.0) return 1.0;
  if (mean == 0.0 || is_below_smallest_double(mean, x)) return 0.0;
  return gamma_p(x, mean);
}

double poisson_lower_tail(double mean, double x) {
  if (x < 0.0) return 0.0;
  if (mean == 0.0 || is_below_smallest_double(mean, x + 1.0)) return 1.0;
  return gamma_q(x + 1.0, mean);
}

double chi_square_p_value(double statistic, std::uint64_t degrees_of_freedom) {
  require_domain(degrees_of_freedom > 0, "degrees_of_freedom", "at least 1", degrees_of_freedom);
  require_domain(statistic >= 0.0 && std::isfinite(statistic), "statistic", "finite and at least 0",
                 statistic);
  return gamma_q(0.5 * static_cast<double>(degrees_of_freedom), 0.5 * statistic);
}

}  // namespace bloometry::statistics
