#include "core/theory/binomial_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

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

/// Terms below the mode, down to s = 0; the weight at the mode is 1. down(s) =
/// weight(s-1)/weight(s).
template <class Down>
void add_below_mode(std::span<const double> kernel, std::size_t mode, Down down, WeightedSum& sum) {
  double weight = 1.0;
  for (std::size_t s = mode; s > 0 && weight > 0.0; --s) {
    weight *= down(static_cast<double>(s));
    sum.add(weight, kernel[s - 1]);
  }
}

/// Terms from the mode on, up(s) = weight(s+1)/weight(s); false if the kernel ends before the terms
/// do.
template <class Up>
bool add_from_mode(std::span<const double> kernel, std::size_t mode, Up up, WeightedSum& sum) {
  double weight = 1.0;
  for (std::size_t s = mode; s < kernel.size(); ++s) {
    sum.add(weight, kernel[s]);
    const double ratio = up(static_cast<double>(s));
    weight *= ratio;
    // Ratios fall with s, so the rest is at most a geometric series; the kernel is at most 1.
    if (weight == 0.0 || (ratio < 1.0 && weight <= 0x1p-60 * (1.0 - ratio) * sum.values)) {
      return true;
    }
  }
  return false;
}

template <class Down, class Up>
std::optional<double> mix(std::span<const double> kernel, double mode_real, Down down, Up up) {
  if (mode_real >= static_cast<double>(kernel.size())) return std::nullopt;
  const auto mode = static_cast<std::size_t>(mode_real);
  WeightedSum sum;
  add_below_mode(kernel, mode, down, sum);
  if (!add_from_mode(kernel, mode, up, sum)) return std::nullopt;
  return sum.values / sum.weights;
}

constexpr std::size_t kMaxLength = std::size_t{1} << 20;
constexpr double kLargeMean = 4096.0;

/// E[at(s)], s with this mean; mix(kernel) says whether the kernel suffices.
template <class Mix>
double mean_of_rising(double mean, const std::function<double(std::uint64_t)>& at, Mix mix_kernel) {
  // s < mean/2 has probability below e^(-0.15 mean).
  if (mean > kLargeMean && at(static_cast<std::uint64_t>(mean / 2.0)) == 1.0) return 1.0;
  // Weights below the mode are 0 as numbers from 38 sd on, e^(-38^2/2); at(s) is not asked for
  // there.
  const double first = std::max(0.0, std::floor(mean - 40.0 * (std::sqrt(mean) + 1.0)));
  std::vector<double> kernel(static_cast<std::size_t>(std::min(first, 0x1p20)), 0.0);
  const bool too_large = mean > static_cast<double>(kMaxLength);
  for (std::size_t length = too_large ? 2 * kMaxLength : mixture_length(mean); length <= kMaxLength;
       length *= 2) {
    while (kernel.size() < length) kernel.push_back(at(kernel.size()));
    if (const auto value = mix_kernel(kernel)) return *value;
  }
  throw std::domain_error("mixture: a mean of " + std::to_string(mean) + " is too large");
}

}  // namespace

std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel) {
  const double mode = std::floor((num_trials + 1.0) * (odds / (1.0 + odds)));
  return mix(
      kernel, std::min(mode, num_trials),
      [=](double s) { return s / ((num_trials - s + 1.0) * odds); },
      [=](double s) { return std::max(0.0, num_trials - s) / (s + 1.0) * odds; });
}

std::optional<double> mix_over_poisson(double mean, std::span<const double> kernel) {
  return mix(
      kernel, std::floor(mean), [=](double s) { return s / mean; },
      [=](double s) { return mean / (s + 1.0); });
}

double poisson_mean_of(double mean, const std::function<double(std::uint64_t)>& at) {
  return mean_of_rising(mean, at, [mean](const std::vector<double>& kernel) {
    return mix_over_poisson(mean, kernel);
  });
}

double cell_mean_of(double num_trials, double num_cells,
                    const std::function<double(std::uint64_t)>& at) {
  if (num_cells == 1.0) return at(static_cast<std::uint64_t>(num_trials));
  const double odds = 1.0 / (num_cells - 1.0);
  return mean_of_rising(num_trials / num_cells, at, [=](const std::vector<double>& kernel) {
    return mix_over_binomial(num_trials, odds, kernel);
  });
}

std::size_t mixture_length(double mean) {
  return static_cast<std::size_t>(mean + 12.0 * std::sqrt(mean + 1.0) + 30.0);
}

}  // namespace bloometry::theory
