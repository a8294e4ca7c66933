#include "core/statistics/test_power.hpp"

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

void require_rate(double rate) {
  require_domain(rate >= 0.0 && rate <= 1.0, "rate", "in [0, 1]", rate);
}

void require_alpha(double alpha) {
  require_domain(alpha > 0.0 && alpha < 1.0, "alpha", "in (0, 1)", alpha);
}

void require_power(double alpha, double power) {
  if (power > alpha && power < 1.0) return;
  require_domain(false, "power", "in (alpha, 1) = (" + shortest_text(alpha) + ", 1)", power);
}

/// Returns the first value in [first, last] for which `holds` is true, or last + 1 if no such value
/// exists. `holds` must be false up to some value and true above that value.
template <class Holds>
std::uint64_t first_that(std::uint64_t first, std::uint64_t last, Holds holds) {
  while (first <= last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (!holds(middle)) {
      first = middle + 1;
    } else if (middle == first) {
      return first;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace

RejectionRegion rejection_region(std::uint64_t queries, double rate, double alpha) {
  require_rate(rate);
  require_alpha(alpha);
  const auto trials = static_cast<double>(queries);
  const auto tail_too_thick = [&](std::uint64_t positives) {
    return 2.0 * binomial_lower_tail(trials, rate, static_cast<double>(positives)) >= alpha;
  };
  const auto tail_thin = [&](std::uint64_t positives) {
    return 2.0 * binomial_upper_tail(trials, rate, static_cast<double>(positives)) < alpha;
  };
  RejectionRegion region;
  const std::uint64_t first_kept = first_that(0, queries, tail_too_thick);
  if (first_kept > 0) region.lower = first_kept - 1;
  const std::uint64_t first_rejected = first_that(0, queries, tail_thin);
  if (first_rejected <= queries) region.upper = first_rejected;
  return region;
}

double binomial_test_power(std::uint64_t queries, double rate, double true_rate, double alpha) {
  require_rate(true_rate);
  const RejectionRegion region = rejection_region(queries, rate, alpha);
  const auto trials = static_cast<double>(queries);
  double power = 0.0;
  if (region.lower) {
    power += binomial_lower_tail(trials, true_rate, static_cast<double>(*region.lower));
  }
  if (region.upper) {
    power += binomial_upper_tail(trials, true_rate, static_cast<double>(*region.upper));
  }
  return power;
}

std::optional<double> smallest_excess_found(std::uint64_t queries, double rate, double alpha,
                                            double power) {
  require_power(alpha, power);
  require_domain(rate > 0.0, "rate", "in (0, 1]", rate);
  const auto finds = [&](double true_rate) {
    return binomial_test_power(queries, rate, true_rate, alpha) >= power;
  };
  if (!finds(1.0)) return std::nullopt;
  double missed = rate;
  double found = 1.0;
  while (found - missed > 1e-9 * (found - rate)) {
    const double middle = 0.5 * (missed + found);
    if (middle == missed || middle == found) break;
    (finds(middle) ? found : missed) = middle;
  }
  return found / rate - 1.0;
}

std::optional<std::uint64_t> queries_to_find(double rate, double true_rate, double alpha,
                                             double power) {
  require_rate(rate);
  require_rate(true_rate);
  require_alpha(alpha);
  require_power(alpha, power);
  constexpr std::uint64_t kMost = std::uint64_t{1}
                                  << 53U;  // counts up to 2^53 are exact in a double
  const auto finds = [&](std::uint64_t queries) {
    return binomial_test_power(queries, rate, true_rate, alpha) >= power;
  };
  if (rate == true_rate) return std::nullopt;
  std::uint64_t enough = 1;
  while (enough <= kMost && !finds(enough)) enough *= 2;
  if (enough > kMost) return std::nullopt;
  return first_that(enough / 2 + 1, enough, finds);
}

}  // namespace bloometry::statistics
