#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// The test of the hits of many filters whose states are not seen (theory 9.3, designs 2 and 3):
/// num_filters independent filters, each asked num_queries fresh absent keys; the rate of a filter
/// follows a known law. The total S has
///     Var(S/(R Q)) = Var(F)(1 - 1/Q)/R + p(1-p)/(R Q),    p = E[F].
///
/// Tails are bounded by Chernoff: P(S >= s) <= inf over theta > 0 of e^(-theta s) E[e^(theta H)]^R
/// with H the hits of one filter, and likewise below. It holds for every s, R and Q, however small
/// the tail, where the normal z does not; it follows from Markov's inequality alone. Since
/// (1 + F (e^theta - 1))^Q is convex in F, it also holds if the law of F is larger in the convex
/// order than the true one (same mean, spread further), as theory/rate_law.hpp and
/// block_rate_law.hpp make it.
/// The price: the bound is about z sqrt(2 pi) times the tail z standard deviations out, so at a
/// false alarm of 1e-6 a given deviation takes 1.15 times the queries of an exact test.
class TotalHitsTest {
 public:
  /// @throws std::domain_error if num_filters or num_queries is 0.
  TotalHitsTest(RateMixture rates, std::uint64_t num_filters, std::uint64_t num_queries);

  /// E[S] and Var(S) if the hypothesis holds.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;

  /// Bounds of P(S >= hits) and P(S <= hits).
  [[nodiscard]] double upper_tail(std::uint64_t hits) const;
  [[nodiscard]] double lower_tail(std::uint64_t hits) const;

  /// Twice the smaller bound, at most 1: below alpha with probability at most alpha.
  /// @throws std::domain_error if there are more hits than queries.
  [[nodiscard]] double two_sided_p_value(std::uint64_t hits) const;

  /// The fewest hits above the mean, and the most below it, that the test at false_alarm rejects.
  /// `upper` is one more than all queries, `lower` -1, if no outcome on that side is rejected.
  struct Limits {
    double lower = 0.0;
    double upper = 0.0;
  };

  [[nodiscard]] Limits limits(double false_alarm) const;

  /// Factors by which the rate of every filter must be off to be rejected with probability
  /// 1 - miss, the spread of the deviating hits taken as normal. `above` is +infinity, `below` 0,
  /// if no deviation on that side is found so surely.
  struct Deviation {
    double below = 0.0;
    double above = 0.0;
  };

  [[nodiscard]] Deviation detected(double false_alarm, double miss) const;

 private:
  /// The bound of the tail from `hits` away from the mean, as a logarithm.
  [[nodiscard]] double log_chernoff(double hits) const;
  [[nodiscard]] double hits_at_factor(double factor, double z) const;
  [[nodiscard]] double num_answers() const;

  RateMixture rates_;
  std::uint64_t num_filters_;
  std::uint64_t num_queries_;
};

}  // namespace bloometry::statistics
