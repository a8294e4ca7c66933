#include "core/statistics/deviation_factors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bloometry::statistics {

std::vector<double> deviation_factors() {
  std::vector<double> factors;
  for (double s = 0.05; s < 13.0; s *= std::numbers::sqrt2) {
    factors.push_back(std::exp(s));
    if (s < 4.6) factors.push_back(std::exp(-s));
  }
  return factors;
}

RateMixture deviating(const RateMixture& rates, double factor) {
  constexpr double kLargestRate = 0.999;
  if (!(rates.mean() > 0.0)) return RateMixture::certain(std::min(0.5, factor * 1e-6));
  return rates.scaled(std::min(factor, kLargestRate / rates.mean()));
}

}  // namespace bloometry::statistics
