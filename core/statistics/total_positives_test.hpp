#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// A test of the total number of positives of many filters whose states are not observed (theory
/// 9.3, designs 2 and 3). num_filters independent filters each receive num_queries fresh absent
/// keys; the rate of a filter follows a known law. The total S has
///     Var(S/(R Q)) = Var(F)(1 - 1/Q)/R + p(1-p)/(R Q),    p = E[F].
///
/// Tails are bounded by Chernoff: P(S >= s) <= inf over theta > 0 of e^(-theta s) E[e^(theta H)]^R
/// with H the positives of one filter; the lower tail has a similar bound. The bound follows from
/// Markov's inequality alone, so it holds for every s, R and Q. In small tails the normal
/// approximation does not hold, but this bound does. (1 + F (e^theta - 1))^Q is convex in F. The
/// bound therefore also holds if the law of F is larger in the convex order than the true one (same
/// mean, larger spread). The laws of theory/rate_law.hpp and theory/block_rate_law.hpp have this
/// property.
/// Cost: the bound is about z sqrt(2 pi) times the tail at z standard deviations. At a false alarm
/// of 1e-6 a given deviation therefore needs 1.15 times the queries of an exact test.
class TotalPositivesTest {
 public:
  /// Makes the test.
  /// @throws std::domain_error if num_filters or num_queries is 0.
  TotalPositivesTest(RateMixture rates, std::uint64_t num_filters, std::uint64_t num_queries);

  /// Returns E[S] under the hypothesis.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;

  /// upper_tail returns a bound of P(S >= positives), and lower_tail a bound of P(S <= positives).
  [[nodiscard]] double upper_tail(std::uint64_t positives) const;
  [[nodiscard]] double lower_tail(std::uint64_t positives) const;

  /// Returns a p-value: twice the smaller of the two bounds, at most 1. Under the hypothesis it is
  /// at most alpha with probability at most alpha.
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

  /// Factors by which the rate of every filter must deviate so that the test rejects with
  /// probability 1 - miss. The law of the positives under a deviation is approximated as normal.
  /// `above` is +infinity, or `below` is 0, if no deviation on that side is detected with that
  /// probability.
  struct Deviation {
    double below = 0.0;
    double above = 0.0;
  };

  [[nodiscard]] Deviation detected(double false_alarm, double miss) const;

 private:
  /// Returns the log of the bound of the tail that begins at `positives` and extends away from the
  /// mean.
  [[nodiscard]] double log_chernoff(double positives) const;
  [[nodiscard]] double positives_at_factor(double factor, double z) const;
  [[nodiscard]] double num_answers() const;

  RateMixture rates_;
  std::uint64_t num_filters_;
  std::uint64_t num_queries_;
};

}  // namespace bloometry::statistics
