#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/theory/fill_law.hpp"

namespace bloometry::test {

/// An upper bound of the p-value of a sum S of independent values, by Chernoff's inequality: P(S >=
/// s) <= E[e^(tS)] e^(-ts) for every t > 0. For every t < 0, E[e^(tS)] e^(-ts) is a bound of P(S <=
/// s). The bound is valid for any number of values with any law, whereas the normal limit is not
/// accurate at 1e-9. The bound is near e^(-z^2/2) at z standard deviations. A threshold of 1e-9 is
/// therefore reached at 6.5 standard deviations instead of 6.1.
class ChernoffBound {
 public:
  /// Creates the bound. The function log_moment(t) returns ln E[e^(t Y)] of one value Y with mean
  /// 0, or an upper bound of ln E[e^(t Y)]. The parameter `scale` is about the standard deviation
  /// of Y, and determines the range of t that is searched.
  ChernoffBound(std::function<double(double t)> log_moment, double scale)
      : log_moment_(std::move(log_moment)), scale_(scale) {}

  /// Returns an upper bound of the two-sided p-value of a sum of num_values values. The upper bound
  /// is twice the one-sided bound. Every t gives a bound of P(S >= s), so the least bound over all
  /// t is valid.
  [[nodiscard]] double p_value(double sum, std::uint64_t num_values) const {
    const auto n = static_cast<double>(num_values);
    const double sign = sum < 0 ? -1 : 1;
    double least = 0;
    // Tries t = z / (scale sqrt n) for z from 0.05 to 20, in steps of 5 %.
    for (double z = 0.05; z < 20; z *= 1.05) {
      const double t = sign * z / (scale_ * std::sqrt(n));
      least = std::min(least, n * log_moment_(t) - t * sum);
    }
    return std::min(1.0, 2 * std::exp(least));
  }

 private:
  std::function<double(double)> log_moment_;
  double scale_;
};

/// Returns E[f(X)] under the exact law of a fill.
template <class F>
double expectation(const theory::FillLaw& law, F f) {
  double sum = 0;
  for (std::uint64_t x = law.support().first; x <= law.support().last; ++x) {
    sum += law.pmf(x) * f(x);
  }
  return sum;
}

}  // namespace bloometry::test
