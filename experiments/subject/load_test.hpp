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

/// The result of one load.
struct LoadVerdict {
  enum class Outcome {
    kOpen,        ///< neither the claim nor the deviation is excluded
    kAccepted,    ///< the deviation is excluded, or a fixed plan was completed without rejection
    kLimited,     ///< no deviation, but fewer queries were allowed than the goal needs
    kRejected,    ///< the false positives contradict the claim
    kNotQueried,  ///< the measurement ended before this load was queried
  };

  std::uint64_t num_keys = 0;
  MeasurementPlan plan{};
  double false_alarm = 0;  ///< false alarm of the test of the false positives
  double expected_rate = 0;
  double rate_stddev = 0;  ///< standard deviation between filters
  std::uint64_t num_filters = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_false_positives = 0;
  double expected_false_positives = 0;  ///< given the fills, if the subject reports them
  std::optional<double> p_value{};      ///< p-value of the false positives
  Outcome outcome = Outcome::kNotQueried;

  std::uint64_t num_fills = 0;  ///< number of fills; 0 if the subject does not report them
  double mean_ones = 0;
  double expected_ones = 0;
  double ones_stddev = 0;  ///< standard deviation for one filter
  std::optional<double> fill_p_value{};
  bool fill_rejected = false;

  std::string left_out{};  ///< reason why the load is excluded; empty if it is measured
};

/// The tests of one load: a test of the false positives and, if the subject reports fills, a test
/// of the fills.
///
/// The number of queries at this load depends only on answers at this load and on the end of the
/// whole measurement. Each test therefore keeps its level, whatever the other loads of the same
/// filters show.
class LoadTest {
 public:
  struct Settings {
    MeasurementGoal goal{};  ///< false_alarm applies to this load
    bool is_sequential = true;
    bool knows_fills = false;
    bool must_decide = true;  ///< whether the load is open if it has too few queries for the goal
  };

  LoadTest(Claim claim, const MeasurementPlan& plan, const Settings& settings);

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return claim_.num_keys; }

  [[nodiscard]] const MeasurementPlan& plan() const noexcept { return verdict_.plan; }

  /// Returns the maximum number of filters that the tests need.
  [[nodiscard]] std::uint64_t max_filters() const noexcept;

  /// Returns whether the test needs the false positives of filter number `trial`.
  [[nodiscard]] bool wants_false_positives(std::uint64_t trial) const;
  /// Returns whether the test needs the fill of filter number `trial`.
  [[nodiscard]] bool wants_fill(std::uint64_t trial) const;

  /// Starts a filter. Its fill, if it is reported, must be observed before its false positives.
  void begin_filter();
  void observe_fill(std::uint64_t num_ones);
  void observe_false_positives(std::uint64_t num_false_positives, std::uint64_t num_queries);

  /// Excludes the load for the reason `why`. Later queries are omitted, and earlier ones are
  /// ignored.
  void leave_out(const std::string& why) { verdict_.left_out = why; }

  [[nodiscard]] bool is_rejected() const;

  /// Returns the current verdict. @param was_stopped whether something else ended the measurement.
  [[nodiscard]] LoadVerdict verdict(bool was_stopped) const;

 private:
  using Decision = statistics::SequentialTest::Decision;

  [[nodiscard]] bool is_left_out() const noexcept { return !verdict_.left_out.empty(); }

  /// Type of the test: SequentialTest if the law of the rate is known, ByFilterTest if it is
  /// bounded.
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
