#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// The test of the positives of many filters whose states are not observed (theory 9.3, designs 2
/// and 3). num_filters independent filters each receive num_queries fresh absent keys; the rate of
/// a filter follows a known law. The total S has
///     Var(S/(R Q)) = Var(F)(1 - 1/Q)/R + p(1-p)/(R Q),    p = E[F].
///
/// Tails are bounded by Chernoff: P(S >= s) <= inf over theta > 0 of e^(-theta s) E[e^(theta H)]^R
/// with H the positives of one filter, and likewise below. The bound follows from Markov's
/// inequality alone. It holds for every s, R and Q and for any small tail, where the normal z does
/// not hold. (1 + F (e^theta - 1))^Q is convex in F. The bound therefore also holds if the law of F
/// is larger in the convex order than the true one (same mean, larger spread). The laws of
/// theory/rate_law.hpp and block_rate_law.hpp are such laws.
/// Cost: the bound is about z sqrt(2 pi) times the tail at z standard deviations. At a false alarm
/// of 1e-6 a given deviation therefore needs 1.15 times the queries of an exact test.
class TotalPositivesTest {
 public:
  /// Makes the test.
  /// @throws std::domain_error if num_filters or num_queries is 0.
  TotalPositivesTest(RateMixture rates, std::uint64_t num_filters, std::uint64_t num_queries);

  /// Returns E[S] under the hypothesis; the function below returns Var(S).
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;

  /// Return bounds of P(S >= positives) and P(S <= positives).
  [[nodiscard]] double upper_tail(std::uint64_t positives) const;
  [[nodiscard]] double lower_tail(std::uint64_t positives) const;

  /// Returns twice the smaller bound, at most 1: below alpha with probability at most alpha.
  /// @throws std::domain_error if there are more positives than queries.
  [[nodiscard]] double two_sided_p_value(std::uint64_t positives) const;

  /// The fewest positives above the mean, and the most below it, that the test at false_alarm
  /// rejects. `upper` is one more than all queries, and `lower` is -1, if the test does not reject
  /// any outcome on that side.
  struct Limits {
    double lower = 0.0;
    double upper = 0.0;
  };

  [[nodiscard]] Limits limits(double false_alarm) const;

  /// Factors by which the rate of every filter must deviate to be rejected with probability 1 -
  /// miss. The spread of the deviating positives is approximated as normal. `above` is +infinity,
  /// and `below` 0, if deviations on that side are not detected with that probability.
  struct Deviation {
    double below = 0.0;
    double above = 0.0;
  };

  [[nodiscard]] Deviation detected(double false_alarm, double miss) const;

 private:
  /// Returns the log of the bound of the tail from `positives` away from the mean.
  [[nodiscard]] double log_chernoff(double positives) const;
  [[nodiscard]] double positives_at_factor(double factor, double z) const;
  [[nodiscard]] double num_answers() const;

  RateMixture rates_;
  std::uint64_t num_filters_;
  std::uint64_t num_queries_;
};

}  // namespace bloometry::statistics
