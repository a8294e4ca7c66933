#include "core/theory/binomial_mixture.hpp"

#include <algorithm>
#include <cmath>

namespace bloometry::theory {
namespace {

struct WeightedSum {
  double weights = 0.0;
  double values = 0.0;

  void add(double weight, double value) {
    weights += weight;
    values += weight * value;
  }
};

/// Terms below the mode, down to s = 0; the weight at the mode is 1.
void add_below_mode(double num_trials, double odds, std::span<const double> kernel,
                    std::size_t mode, WeightedSum& sum) {
  double weight = 1.0;
  for (std::size_t s = mode; s > 0 && weight > 0.0; --s) {
    const double real = static_cast<double>(s);
    weight *= real / ((num_trials - real + 1.0) * odds);
    sum.add(weight, kernel[s - 1]);
  }
}

/// Terms from the mode on; false if the kernel ends before the terms do.
bool add_from_mode(double num_trials, double odds, std::span<const double> kernel, std::size_t mode,
                   WeightedSum& sum) {
  double weight = 1.0;
  for (std::size_t s = mode; s < kernel.size(); ++s) {
    sum.add(weight, kernel[s]);
    const double real = static_cast<double>(s);
    const double ratio = std::max(0.0, num_trials - real) / (real + 1.0) * odds;
    weight *= ratio;
    // Ratios fall with s, so the rest is at most a geometric series; the kernel is at most 1.
    if (weight == 0.0 || (ratio < 1.0 && weight <= 0x1p-60 * (1.0 - ratio) * sum.values)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel) {
  const double mode_real = std::floor((num_trials + 1.0) * (odds / (1.0 + odds)));
  if (mode_real >= static_cast<double>(kernel.size())) return std::nullopt;
  const auto mode = static_cast<std::size_t>(std::min(mode_real, num_trials));
  WeightedSum sum;
  add_below_mode(num_trials, odds, kernel, mode, sum);
  if (!add_from_mode(num_trials, odds, kernel, mode, sum)) return std::nullopt;
  return sum.values / sum.weights;
}

std::size_t mixture_length(double mean) {
  return static_cast<std::size_t>(mean + 12.0 * std::sqrt(mean + 1.0) + 30.0);
}

}  // namespace bloometry::theory
