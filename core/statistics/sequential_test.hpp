#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// A sequential test of the false positive rate over many filters. A caller may evaluate the test
/// after every batch and stop at a decision.
///
/// Hypothesis: each filter's rate F has a known law. If the state of a filter is known, the law has
/// a single rate. Given F, each answer of the filter to a fresh absent key is positive with
/// probability F, independently. Alternatives: the rates are c F instead of F, for factors c on a
/// grid from 1/90 to 360,000.
///
/// Evidence: let a_1..a_t be the answers so far, of any number of filters. Let L_c be the
/// probability of a_1..a_t under factor c. L_c is the product of E[(cF)^h (1 - cF)^(q-h)] over
/// filters with h positives of q queries. The sum of L_c over both possible next answers equals L_c
/// of the present answers. Under the hypothesis, the expectation of
/// L_c(a_1..a_{t+1})/L_1(a_1..a_{t+1}) given a_1..a_t is therefore L_c(a_1..a_t)/L_1(a_1..a_t). The
/// ratio L_c/L_1 is therefore a martingale that starts at 1. The evidence M_t, the mean of the
/// ratios over the grid, is a martingale too. By Ville's inequality, P(M_t >= 1/alpha for some t)
/// <= alpha for every stopping rule. The number of filters and batches may depend on the answers.
/// The method combines the mixtures of Robbins (1970) with the inequality of Ville (1939). The test
/// does not use approximations.
///
/// The test rejects when M_t >= 1/false_alarm. It accepts when L_1 >= L_c/miss for both
/// c = 1 - deviation and c = 1 + deviation. Without this rule, a test of correct filters would not
/// end. If all rates are multiplied by exactly 1 - deviation or 1 + deviation, the test accepts
/// with probability at most miss, by Ville's inequality.
class SequentialTest {
 public:
  struct Settings {
    double false_alarm = 1e-6;
    double deviation = 0.1;  ///< relative deviation of the rate that the test must detect
    double miss = 0.01;

    /// Checks the settings.
    /// @throws std::domain_error if a setting is outside (0, 1).
    void require_valid() const;
  };

  enum class Decision { kOpen, kRejected, kAccepted };

  /// Starts the test.
  /// @throws std::domain_error if a setting is outside (0, 1).
  SequentialTest(const RateMixture& rates, Settings settings);

  /// Begins another filter. Later calls of observe() add answers of the new filter.
  void begin_filter();

  /// Begins another filter whose rate has the law `rates`. If the filter's state is known, pass
  /// RateMixture::certain. The law must not depend on later answers.
  void begin_filter(const RateMixture& rates);

  /// Adds the answers of the present filter to num_queries absent keys, of which `positives` are
  /// positive. Batches after a decision add evidence but do not change the decision.
  /// @throws std::domain_error if there are more positives than queries.
  void observe(std::uint64_t positives, std::uint64_t num_queries);

  [[nodiscard]] Decision decision() const noexcept { return decision_; }

  /// Returns log M_t, or +infinity after an answer that is impossible under the hypothesis.
  [[nodiscard]] double log_evidence() const noexcept { return log_evidence_; }

  /// Returns min(1, 1/max M_t). The p-value is valid at any time.
  [[nodiscard]] double p_value() const;

 private:
  /// The law under one factor, and the log-likelihood of all finished filters under that law.
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
  std::uint64_t positives_ = 0;  // positives of the present filter
  std::uint64_t negatives_ = 0;
  double log_evidence_ = 0.0;
  double largest_log_evidence_ = 0.0;
  Decision decision_ = Decision::kOpen;
};

}  // namespace bloometry::statistics
