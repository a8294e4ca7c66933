#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// A test of the total number of positives of many filters whose states are not observed (theory
/// 9.3, designs 2 and 3). Each of num_filters independent filters receives num_queries fresh absent
/// keys. The rate of a filter follows a known law. The total S has
///     Var(S/(R Q)) = Var(F)(1 - 1/Q)/R + p(1-p)/(R Q),    p = E[F].
///
/// Let H be the number of positives of one filter. Chernoff's bound applies to the tails:
/// P(S >= s) <= inf over theta > 0 of e^(-theta s) E[e^(theta H)]^R. The lower tail has the same
/// bound with theta < 0. It follows from Markov's inequality alone, so it is valid for every s, R
/// and Q. The normal approximation is not valid far in the tails. The law of F may be larger in the
/// convex order than the true law, because (1 + F (e^theta - 1))^Q is convex. A law is larger in
/// this order if its mean is equal and its spread is larger. Those of core/theory/rate_law.hpp and
/// core/theory/block_rate_law.hpp are larger than the true laws. At z standard deviations, the
/// bound is about z sqrt(2 pi) times the tail. At a false alarm of 1e-6, the test therefore needs
/// 1.15 times as many queries as an exact test to detect a given deviation.
class TotalPositivesTest {
 public:
  /// Creates the test.
  /// @throws std::domain_error if num_filters or num_queries is 0.
  TotalPositivesTest(RateMixture rates, std::uint64_t num_filters, std::uint64_t num_queries);

  /// Returns E[S] under the hypothesis.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;

  /// The function upper_tail returns a bound of P(S >= positives), and lower_tail returns a bound
  /// of P(S <= positives).
  [[nodiscard]] double upper_tail(std::uint64_t positives) const;
  [[nodiscard]] double lower_tail(std::uint64_t positives) const;

  /// Returns min(1, 2b), where b is the smaller of the bounds of the two tails. Under the
  /// hypothesis, the p-value is at most alpha with probability at most alpha.
  /// @throws std::domain_error if there are more positives than queries.
  [[nodiscard]] double two_sided_p_value(std::uint64_t positives) const;

  /// The least number of positives above the mean that the test rejects at false_alarm, and the
  /// largest one below. `upper` is one more than the number of queries if no number above the mean
  /// is rejected. `lower` is -1 if none below it is rejected.
  struct Limits {
    double lower = 0.0;
    double upper = 0.0;
  };

  [[nodiscard]] Limits limits(double false_alarm) const;

  /// Factors by which the rate of every filter must deviate so that the test rejects with
  /// probability 1 - miss. The law of the number of positives under a deviation is approximated as
  /// normal. `above` is +infinity if the test does not detect any increase with probability 1 -
  /// miss. `below` is 0 if the test does not detect any decrease with probability 1 - miss.
  struct Deviation {
    double below = 0.0;
    double above = 0.0;
  };

  [[nodiscard]] Deviation detected(double false_alarm, double miss) const;

 private:
  /// Returns the log of the bound on the tail that begins at `positives` and extends away from the
  /// mean.
  [[nodiscard]] double log_chernoff(double positives) const;
  [[nodiscard]] double positives_at_factor(double factor, double z) const;
  [[nodiscard]] double num_answers() const;

  RateMixture rates_;
  std::uint64_t num_filters_;
  std::uint64_t num_queries_;
};

}  // namespace bloometry::statistics
