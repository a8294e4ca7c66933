#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// A test of the rate of filters that may be looked at after every batch and stopped when decided.
///
/// Hypothesis: each filter's rate F is drawn from a known law (a filter whose state is known: one
/// rate for certain), and given F its answers to fresh absent keys are independent with
/// probability F. Alternatives: the same with c F, for factors c on a grid from 1/90 to 360,000.
///
/// Evidence. For the answers a_1..a_t seen so far, of however many filters, let L_c be their
/// probability under factor c: a product over filters of E[(cF)^h (1 - cF)^(q-h)]. Under the
/// hypothesis the expectation of L_c(a_1..a_{t+1})/L_1(a_1..a_{t+1}) given a_1..a_t is
/// L_c(a_1..a_t)/L_1(a_1..a_t), since the probabilities under c of both next answers add up to
/// those of the present ones: a martingale that starts at 1. So is the mean over the grid, the
/// evidence M_t. Ville's inequality: P(M_t >= 1/alpha for some t) <= alpha, for every rule of when
/// to look and stop, and for any number of filters and batches that depends on the answers.
/// Source: Ville (1939); Robbins (1970), the method of mixtures. Nothing is approximated.
///
/// Rejection is M_t >= 1/false_alarm. Acceptance, so that honest filters end too: the hypothesis
/// is 1/miss times likelier than either deviation by the factor 1 +- deviation; by the same
/// inequality, filters that deviate exactly so are accepted with probability at most miss.
class SequentialTest {
 public:
  struct Settings {
    double false_alarm = 1e-6;
    double deviation = 0.1;  ///< relative deviation of the rate that the test must detect
    double miss = 0.01;

    /// @throws std::domain_error if one is outside (0, 1).
    void require_valid() const;
  };

  enum class Decision { kOpen, kRejected, kAccepted };

  /// @throws std::domain_error if a setting is outside (0, 1).
  SequentialTest(const RateMixture& rates, Settings settings);

  /// Answers from here on are those of another filter.
  void begin_filter();

  /// The same, and the law of that filter's rate is another one: of a filter whose state is known,
  /// RateMixture::certain. The law must not depend on answers that are still to come.
  void begin_filter(const RateMixture& rates);

  /// A batch of the present filter: `hits` of its num_queries absent keys tested positive.
  /// Batches after a decision add evidence but do not change it.
  /// @throws std::domain_error if there are more hits than queries.
  void observe(std::uint64_t hits, std::uint64_t num_queries);

  [[nodiscard]] Decision decision() const noexcept { return decision_; }

  /// log M_t; +infinity after an answer that the hypothesis says cannot occur.
  [[nodiscard]] double log_evidence() const noexcept { return log_evidence_; }

  /// min(1, 1/max M_t): a p-value whenever one stops.
  [[nodiscard]] double p_value() const;

 private:
  /// A factor's law, and the log-likelihood of all finished filters under it.
  struct Alternative {
    RateMixture rates;
    double finished = 0.0;
  };

  void assume(const RateMixture& rates);
  [[nodiscard]] double log_likelihood(const Alternative& alternative) const;
  void decide();

  Settings settings_;
  Alternative hypothesis_;
  Alternative below_;  // 1 - deviation
  Alternative above_;  // 1 + deviation
  std::vector<Alternative> grid_;
  std::uint64_t hits_ = 0;  // of the present filter
  std::uint64_t misses_ = 0;
  double log_evidence_ = 0.0;
  double largest_log_evidence_ = 0.0;
  Decision decision_ = Decision::kOpen;
};

}  // namespace bloometry::statistics
