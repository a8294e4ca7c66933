#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/chernoff_tilt.hpp"
#include "core/statistics/rate_mixture.hpp"
#include "core/statistics/sequential_test.hpp"

namespace bloometry::statistics {

/// A test of the rate of filters that may be looked at after every filter and stopped when decided:
/// for laws that bound the law of the rate and are not it (theory/block_rate_law.hpp), of which
/// SequentialTest can make no likelihood ratio.
///
/// Hypothesis: each filter's rate F is at most `rates` in the convex order, and given F each of its
/// num_queries answers to fresh absent keys is independent with probability F.
///
/// Evidence. For a tilt theta of either sign and the hits H of one filter, E e^(theta H) =
/// E (1 + F (e^theta - 1))^num_queries is at most M(theta), the same mean under `rates`, as the
/// power is convex in F. So e^(theta H)/M(theta) has expectation at most 1 whatever came before,
/// and its product over filters is a supermartingale that starts at 1. So is the mean of these
/// products over a grid of tilts, the evidence. Ville's inequality: it reaches 1/alpha after some
/// filter with probability at most alpha, for every rule of when to stop. Nothing is approximated
/// beside the law. The tilts are the best ones against the factors of SequentialTest. Within
/// a filter the factor has no such bound: a filter that is not finished counts for nothing.
///
/// Rejection is evidence of 1/false_alarm. Acceptance: the same against the claim that all rates
/// are off by the factor 1 - deviation, with the tilt that rises fastest if they are not, and
/// against 1 + deviation, reaches 1/miss in both. Filters that deviate exactly so are accepted with
/// probability at most miss.
class ByFilterTest {
 public:
  using Settings = SequentialTest::Settings;
  using Decision = SequentialTest::Decision;

  /// @throws std::domain_error if a setting is outside (0, 1), or num_queries is 0.
  ByFilterTest(const RateMixture& rates, std::uint64_t num_queries, Settings settings);

  /// Answers from here on are those of another filter.
  void begin_filter();

  /// A batch of the present filter, which counts with the last of its num_queries answers.
  /// Filters after a decision add evidence but do not change it.
  /// @throws std::domain_error if there are more hits than queries, or more queries than are left.
  void observe(std::uint64_t hits, std::uint64_t num_queries);

  [[nodiscard]] Decision decision() const noexcept { return decision_; }

  /// Log of the evidence after the last finished filter.
  [[nodiscard]] double log_evidence() const;

  /// min(1, 1/largest evidence): a p-value whenever one stops.
  [[nodiscard]] double p_value() const;

 private:
  void finish_filter();
  /// Log of the product over finished filters of the tilt's factors.
  [[nodiscard]] double log_product(const ChernoffTilt& tilt) const;

  std::uint64_t num_queries_;
  Settings settings_;
  std::vector<ChernoffTilt> tilts_;
  ChernoffTilt against_below_;     // 1 - deviation
  ChernoffTilt against_above_;     // 1 + deviation
  std::uint64_t num_filters_ = 0;  // finished
  std::uint64_t num_hits_ = 0;     // of them
  std::uint64_t present_hits_ = 0;
  std::uint64_t present_queries_ = 0;
  double largest_log_evidence_ = 0.0;
  Decision decision_ = Decision::kOpen;
};

}  // namespace bloometry::statistics
