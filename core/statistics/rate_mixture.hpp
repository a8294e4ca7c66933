#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloometry::statistics {

/// The law of a Bernoulli rate F that is itself random, as finitely many rates with weights: the
/// false-positive rate of one filter, which differs from filter to filter of one configuration
/// (theory 9.3). Given F, answers to fresh queries are independent with probability F.
///
/// Sums over the rates are formed by logarithms, so that 10^9 queries neither overflow nor vanish.
/// Immutable once made; every function costs O(number of rates).
class RateMixture {
 public:
  struct Part {
    double rate = 0.0;
    double weight = 0.0;
  };

  /// Weights are divided by their sum; parts of weight 0 are dropped.
  /// @throws std::domain_error for no weight, a negative one, or a rate outside [0, 1].
  explicit RateMixture(const std::vector<Part>& parts);

  /// One rate for certain: the filter's state is known, or does not matter.
  static RateMixture certain(double rate);

  [[nodiscard]] std::size_t size() const noexcept { return rates_.size(); }

  /// The rates with their weights, which add up to 1.
  [[nodiscard]] std::vector<Part> parts() const;

  /// E[F] and Var(F).
  [[nodiscard]] double mean() const noexcept { return mean_; }

  [[nodiscard]] double variance() const noexcept { return variance_; }

  /// The law of min(1, factor F): every filter is wrong by the same factor.
  [[nodiscard]] RateMixture scaled(double factor) const;

  /// log E[F^hits (1-F)^misses]: the probability of one sequence of answers, whatever its order.
  /// -infinity if it cannot occur.
  [[nodiscard]] double log_likelihood(std::uint64_t hits, std::uint64_t misses) const;

  /// log E[e^(theta H)] for the hits H of num_queries queries to one filter:
  /// log E[(1 + F (e^theta - 1))^num_queries].
  [[nodiscard]] double log_mgf(double theta, std::uint64_t num_queries) const;

 private:
  std::vector<double> rates_;
  std::vector<double> log_rates_;   // log F
  std::vector<double> log_misses_;  // log(1 - F)
  std::vector<double> log_weights_;
  double mean_ = 0.0;
  double variance_ = 0.0;
};

}  // namespace bloometry::statistics
