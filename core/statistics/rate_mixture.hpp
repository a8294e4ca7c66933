#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloometry::statistics {

/// The law of a random Bernoulli rate F, represented by a finite number of rates with weights. F is
/// the false-positive rate of one filter, which differs between filters of one configuration
/// (theory 9.3). Given F, each answer to a fresh query is positive with probability F,
/// independently.
///
/// Sums over the rates are computed by logarithms, so that 10^9 queries do not cause overflow or
/// underflow. A RateMixture is immutable. The cost of every function is O(number of rates).
class RateMixture {
 public:
  struct Part {
    double rate = 0.0;
    double weight = 0.0;
  };

  /// Creates the law. The constructor divides the weights by their sum, and omits parts of weight
  /// 0.
  /// @throws std::domain_error if all weights are 0, a weight is negative, or a rate is outside [0,
  /// 1].
  explicit RateMixture(const std::vector<Part>& parts);

  /// Returns the law with a single rate, for a filter whose state is known or irrelevant.
  static RateMixture certain(double rate);

  [[nodiscard]] std::size_t size() const noexcept { return rates_.size(); }

  /// Returns the rates with their weights, which add up to 1.
  [[nodiscard]] std::vector<Part> parts() const;

  /// Returns E[F].
  [[nodiscard]] double mean() const noexcept { return mean_; }

  [[nodiscard]] double variance() const noexcept { return variance_; }

  /// Returns the law of min(1, factor * F).
  [[nodiscard]] RateMixture scaled(double factor) const;

  /// Returns log E[F^positives (1-F)^negatives], the log of the probability of one sequence of
  /// answers. Returns -infinity if the sequence is impossible.
  [[nodiscard]] double log_likelihood(std::uint64_t positives, std::uint64_t negatives) const;

  /// Returns log E[e^(theta H)] = log E[(1 + F (e^theta - 1))^num_queries], where H is the number
  /// of positives among num_queries queries to one filter.
  [[nodiscard]] double log_mgf(double theta, std::uint64_t num_queries) const;

 private:
  std::vector<double> rates_;
  std::vector<double> log_rates_;      // log F
  std::vector<double> log_negatives_;  // log(1 - F)
  std::vector<double> log_weights_;
  double mean_ = 0.0;
  double variance_ = 0.0;
};

}  // namespace bloometry::statistics
