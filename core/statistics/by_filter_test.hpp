#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/chernoff_tilt.hpp"
#include "core/statistics/rate_mixture.hpp"
#include "core/statistics/sequential_test.hpp"

namespace bloometry::statistics {

/// A sequential test of the false positive rate over many filters. A caller may evaluate the test
/// after every filter and stop at a decision. Use ByFilterTest if only a bound of the law of the
/// rate is known (core/theory/block_rate_law.hpp). SequentialTest needs the exact law for its
/// likelihood ratio.
///
/// Hypothesis: in the convex order, the law of each filter's rate F is at most `rates`. Given F,
/// each of the filter's num_queries answers to fresh absent keys is positive with probability F,
/// independently.
///
/// Evidence: let theta be a tilt of either sign, and let H be the number of positives of one
/// filter. Let M(theta) be the mean of (1 + F (e^theta - 1))^num_queries for F with the law
/// `rates`. E e^(theta H) is at most M(theta), because the power is convex in F. The factor
/// e^(theta H)/M(theta) therefore has expectation at most 1, given any earlier results. The product
/// of the factors e^(theta H)/M(theta) over filters is a supermartingale that starts at 1. The
/// evidence is the mean of the products over a grid of tilts, and therefore also a supermartingale.
/// By Ville's inequality, the evidence reaches 1/alpha after some filter with probability at most
/// alpha, for every stopping rule. The only approximation is the law `rates`. The grid consists of
/// the best tilts against the alternatives of SequentialTest. The test ignores an unfinished
/// filter, because the expectation of its factor is not bounded.
///
/// The test rejects when the evidence reaches 1/false_alarm. It accepts when similar evidence
/// against each of two claims reaches 1/miss: that all rates are multiplied by 1 - deviation, or by
/// 1 + deviation. The evidence against a claim uses one tilt, for which the evidence grows fastest
/// if the law of F is `rates`. If one of the claims is true, the test accepts with probability at
/// most miss.
class ByFilterTest {
 public:
  using Settings = SequentialTest::Settings;
  using Decision = SequentialTest::Decision;

  /// Starts the test.
  /// @throws std::domain_error if a setting is outside (0, 1), or num_queries is 0.
  ByFilterTest(const RateMixture& rates, std::uint64_t num_queries, Settings settings);

  /// Begins another filter. Later calls of observe() add answers of the new filter.
  void begin_filter();

  /// Adds a batch of answers of the present filter. The evidence includes a filter after
  /// num_queries answers. Filters after a decision add evidence but do not change the decision.
  /// @throws std::domain_error if there are more positives than queries, or more queries than the
  /// present filter still needs.
  void observe(std::uint64_t positives, std::uint64_t num_queries);

  [[nodiscard]] Decision decision() const noexcept { return decision_; }

  /// Returns the log of the evidence after the last finished filter.
  [[nodiscard]] double log_evidence() const;

  /// Returns min(1, 1/M), where M is the largest evidence so far. The p-value is valid at any time.
  [[nodiscard]] double p_value() const;

 private:
  void finish_filter();
  /// Returns the log of the product of a tilt's factors over all finished filters.
  [[nodiscard]] double log_product(const ChernoffTilt& tilt) const;

  std::uint64_t num_queries_;
  Settings settings_;
  std::vector<ChernoffTilt> tilts_;
  ChernoffTilt against_below_;       // 1 - deviation
  ChernoffTilt against_above_;       // 1 + deviation
  std::uint64_t num_filters_ = 0;    // finished filters
  std::uint64_t num_positives_ = 0;  // positives of finished filters
  std::uint64_t present_positives_ = 0;
  std::uint64_t present_queries_ = 0;
  double largest_log_evidence_ = 0.0;
  Decision decision_ = Decision::kOpen;
};

}  // namespace bloometry::statistics
