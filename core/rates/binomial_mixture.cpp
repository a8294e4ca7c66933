#include "core/rates/binomial_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/require_domain.hpp"

namespace bloometry {
namespace {

struct WeightedSum {
  double weights = 0.0;
  double values = 0.0;

  void add(double weight, double value) {
    weights += weight;
    values += weight * value;
  }
};

// A term below 2^-54 times a sum does not change the sum.
constexpr double kNegligible = 0x1p-60;

/// Adds the terms below the mode to the sum, down to s = 0. The weight at the mode is 1, and
/// down(s) returns weight(s-1)/weight(s).
template <class Kernel, class Down>
void add_below_mode(Kernel& kernel, std::uint64_t mode, Down down, WeightedSum& sum) {
  double weight = 1.0;
  for (std::uint64_t s = mode; s > 0 && weight > 0.0; --s) {
    const double ratio = down(static_cast<double>(s));
    weight *= ratio;
    sum.add(weight, kernel(s - 1));
    // The ratios decrease as s falls, so the sum of the remaining terms is at most that of a
    // geometric series. The kernel is at most 1.
    if (weight <= kNegligible * (1.0 - ratio) * std::min(sum.weights, sum.values)) return;
  }
}

/// Adds the terms from the mode upwards to the sum. The function up(s) returns
/// weight(s+1)/weight(s). Returns false if the kernel has fewer elements than the sum has terms.
template <class Kernel, class Up>
bool add_from_mode(Kernel& kernel, std::uint64_t mode, std::uint64_t end, Up up, WeightedSum& sum) {
  double weight = 1.0;
  for (std::uint64_t s = mode; s < end; ++s) {
    sum.add(weight, kernel(s));
    const double ratio = up(static_cast<double>(s));
    weight *= ratio;
    // The ratios decrease as s grows, so the sum of the remaining terms is at most that of a
    // geometric series.
    if (weight == 0.0 || (ratio < 1.0 && weight <= kNegligible * (1.0 - ratio) * sum.values)) {
      return true;
    }
  }
  return false;
}

/// Binomial probabilities of s successes, divided by the probability at the mode.
struct BinomialWeights {
  double num_trials;
  double odds;

  double mode() const {
    return std::min(std::floor((num_trials + 1.0) * (odds / (1.0 + odds))), num_trials);
  }

  double down(double s) const { return s / ((num_trials - s + 1.0) * odds); }

  double up(double s) const { return std::max(0.0, num_trials - s) / (s + 1.0) * odds; }
};

struct PoissonWeights {
  double mean;

  double mode() const { return std::floor(mean); }

  double down(double s) const { return s / mean; }

  double up(double s) const { return mean / (s + 1.0); }
};

/// Returns E[kernel(s)], or std::nullopt if the terms do not become negligible before s = end.
template <class Weights, class Kernel>
std::optional<double> mix(const Weights& weights, Kernel kernel, std::uint64_t end) {
  if (weights.mode() >= static_cast<double>(end)) return std::nullopt;
  const auto mode = static_cast<std::uint64_t>(weights.mode());
  WeightedSum sum;
  add_below_mode(
      kernel, mode, [&](double s) { return weights.down(s); }, sum);
  if (!add_from_mode(
          kernel, mode, end, [&](double s) { return weights.up(s); }, sum)) {
    return std::nullopt;
  }
  return sum.values / sum.weights;
}

auto entries_of(std::span<const double> kernel) {
  return [kernel](std::uint64_t s) { return kernel[static_cast<std::size_t>(s)]; };
}

constexpr std::uint64_t kMaxLength = std::uint64_t{1} << 20;
constexpr double kLargeMean = 4096.0;

/// Returns E[at(s)] for a random s with the given weights and the given mean.
template <class Weights>
double mean_of_rising(const Weights& weights, double mean,
                      const std::function<double(std::uint64_t)>& at) {
  // The probability of s < mean/2 is below e^(-0.15 mean).
  if (mean > kLargeMean && at(static_cast<std::uint64_t>(mean / 2.0)) == 1.0) return 1.0;
  const auto value = mix(weights, std::cref(at), kMaxLength);
  if (!value) {
    throw std::domain_error("mean of a mixture must be small enough for " +
                            std::to_string(kMaxLength) + " terms, got " + shortest_text(mean));
  }
  return *value;
}

}  // namespace

std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel) {
  return mix(BinomialWeights{num_trials, odds}, entries_of(kernel), kernel.size());
}

std::optional<double> mix_over_poisson(double mean, std::span<const double> kernel) {
  return mix(PoissonWeights{mean}, entries_of(kernel), kernel.size());
}

double poisson_mean_of(double mean, const std::function<double(std::uint64_t)>& at) {
  return mean_of_rising(PoissonWeights{mean}, mean, at);
}

double cell_mean_of(double num_trials, double num_cells,
                    const std::function<double(std::uint64_t)>& at) {
  if (num_cells == 1.0) return at(static_cast<std::uint64_t>(num_trials));
  const BinomialWeights weights{num_trials, 1.0 / (num_cells - 1.0)};
  return mean_of_rising(weights, num_trials / num_cells, at);
}

std::size_t mixture_length(double mean) {
  return static_cast<std::size_t>(mean + 12.0 * std::sqrt(mean + 1.0) + 30.0);
}

}  // namespace bloometry
