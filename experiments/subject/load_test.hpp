#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/statistics/by_filter_test.hpp"
#include "core/statistics/sequential_test.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/fill_test.hpp"
#include "experiments/subject/measurement_plan.hpp"

namespace bloometry {

/// The result of the tests of one load.
struct LoadVerdict {
  enum class Outcome {
    kOpen,        ///< neither the claim nor the deviation is excluded
    kAccepted,    ///< the deviation is excluded, or a fixed plan ended without a rejection
    kLimited,     ///< a deviation was not found, but the goal needs more queries
    kRejected,    ///< the false positives contradict the claim
    kNotQueried,  ///< the load is excluded, or the measurement ended before a decision
  };

  std::uint64_t num_keys = 0;
  MeasurementPlan plan{};
  double false_alarm = 0;  ///< false-alarm probability of the test of the false positives
  double expected_rate = 0;
  double rate_stddev = 0;  ///< standard deviation of the rate between filters
  std::uint64_t num_filters = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_false_positives = 0;
  double expected_false_positives = 0;  ///< expected number, given the reported fills
  std::optional<double> p_value{};      ///< p-value of the false positives
  Outcome outcome = Outcome::kNotQueried;

  std::uint64_t num_fills = 0;  ///< number of reported fills
  double mean_ones = 0;
  double expected_ones = 0;
  double ones_stddev = 0;  ///< standard deviation of the fill of one filter
  std::optional<double> fill_p_value{};
  bool fill_rejected = false;

  std::string left_out{};  ///< reason why the load is excluded; empty for a measured load
};

/// The tests of one load. The false positives are always tested; the fills are tested if the
/// subject reports fills.
///
/// The number of queries at a load depends only on the answers at this load and on the end of the
/// whole measurement. The level of each test therefore does not depend on the results at other
/// loads of the same filters.
class LoadTest {
 public:
  struct Settings {
    MeasurementGoal goal{};  ///< goal.false_alarm applies to one load
    bool is_sequential = true;
    bool has_fills = false;
    bool must_decide = true;  ///< true if a load with too few queries for the goal stays open
  };

  LoadTest(Claim claim, const MeasurementPlan& plan, const Settings& settings);

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return claim_.num_keys; }

  [[nodiscard]] const MeasurementPlan& plan() const noexcept { return verdict_.plan; }

  /// Returns the maximum number of filters that the tests need.
  [[nodiscard]] std::uint64_t max_filters() const noexcept;

  /// Returns whether the test needs the false positives of the filter with number `trial`.
  [[nodiscard]] bool needs_false_positives(std::uint64_t trial) const;
  /// Returns whether the test needs the fill of the filter with number `trial`.
  [[nodiscard]] bool needs_fill(std::uint64_t trial) const;

  /// Starts a filter. The caller must pass a reported fill before the false positives of the
  /// filter.
  void begin_filter();
  void observe_fill(std::uint64_t num_ones);
  void observe_false_positives(std::uint64_t num_false_positives, std::uint64_t num_queries);

  /// Excludes the load for the reason `why`. The test omits later queries and ignores earlier
  /// queries.
  void leave_out(const std::string& why) { verdict_.left_out = why; }

  [[nodiscard]] bool is_rejected() const;

  /// Returns the current verdict. The flag was_stopped is true if a rejection ended the
  /// measurement.
  [[nodiscard]] LoadVerdict verdict(bool was_stopped) const;

 private:
  using Decision = statistics::SequentialTest::Decision;

  [[nodiscard]] bool is_left_out() const noexcept { return !verdict_.left_out.empty(); }

  /// Type of the test. SequentialTest requires a known distribution of the rate, and ByFilterTest
  /// requires a bound of the distribution.
  using FalsePositivesTest = std::variant<statistics::SequentialTest, statistics::ByFilterTest>;

  [[nodiscard]] FalsePositivesTest make_false_positives_test(const MeasurementPlan& plan) const;
  [[nodiscard]] Decision false_positives_decision() const;
  [[nodiscard]] std::uint64_t max_hit_filters() const noexcept;
  [[nodiscard]] bool fills_reject() const;
  [[nodiscard]] double false_positives_p_value() const;
  [[nodiscard]] LoadVerdict::Outcome outcome(bool was_stopped) const;

  Claim claim_;
  Settings settings_;
  double level_;  // level of each test
  FalsePositivesTest false_positives_;
  std::optional<FillTest> fills_;  // present if the subject reports fills
  double rate_;                    // rate of the current filter, given its fill if known
  LoadVerdict verdict_;
};

}  // namespace bloometry
