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
    kOpen,      ///< neither the claim nor the deviation is excluded
    kAccepted,  ///< the deviation is excluded, or a fixed plan went to its end
    kLimited,   ///< the most queries allowed went by without a deviation; fewer than the goal needs
    kRejected,  ///< the hits contradict the claim
    kUnasked,   ///< something else decided first
  };

  std::uint64_t num_keys = 0;
  MeasurementPlan plan{};
  double false_alarm = 0;  ///< of the test of the hits
  double expected_rate = 0;
  double rate_stddev = 0;  ///< between filters
  std::uint64_t num_filters = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_hits = 0;
  double expected_hits = 0;         ///< given the fills, where the subject tells them
  std::optional<double> p_value{};  ///< of the hits
  Outcome outcome = Outcome::kUnasked;

  std::uint64_t num_fills = 0;  ///< 0 if the subject does not tell them
  double mean_ones = 0;
  double expected_ones = 0;
  double ones_stddev = 0;  ///< of one filter
  std::optional<double> fill_p_value{};
  bool fill_rejected = false;

  std::string left_out{};  ///< why; empty: measured
};

/// The tests of one load: of the hits, and of the fills of a subject that tells them.
///
/// Which of its queries are asked depends on answers at this load alone, and on the end of the
/// whole judgement: so each test holds its level whatever the other loads, of the same filters,
/// show.
class LoadTest {
 public:
  struct Settings {
    MeasurementGoal goal{};  ///< its false alarm is that of this load
    bool is_sequential = true;
    bool knows_fills = false;
    bool must_decide = true;  ///< whether too few queries for the goal are an open end
  };

  LoadTest(Claim claim, const MeasurementPlan& plan, const Settings& settings);

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return claim_.num_keys; }

  [[nodiscard]] const MeasurementPlan& plan() const noexcept { return verdict_.plan; }

  /// Filters of which it may want something.
  [[nodiscard]] std::uint64_t max_filters() const noexcept;

  /// Whether filter number `trial` is to be asked for hits, or for its fill.
  [[nodiscard]] bool wants_hits(std::uint64_t trial) const;
  [[nodiscard]] bool wants_fill(std::uint64_t trial) const;

  /// The filter's hits follow, or its fill and then its hits.
  void begin_filter();
  void observe_fill(std::uint64_t num_ones);
  void observe_hits(std::uint64_t num_hits, std::uint64_t num_queries);

  /// Nothing is asked any more, and nothing is concluded from what was: why names the reason.
  void leave_out(const std::string& why) { verdict_.left_out = why; }

  [[nodiscard]] bool is_rejected() const;

  /// As of now; `was_stopped` says that something else ended the judgement.
  [[nodiscard]] LoadVerdict verdict(bool was_stopped) const;

 private:
  using Decision = statistics::SequentialTest::Decision;

  [[nodiscard]] bool is_left_out() const noexcept { return !verdict_.left_out.empty(); }

  /// SequentialTest where the law of the rate is known, ByFilterTest where it is bounded.
  using HitsTest = std::variant<statistics::SequentialTest, statistics::ByFilterTest>;

  [[nodiscard]] HitsTest make_hits_test(const MeasurementPlan& plan) const;
  [[nodiscard]] Decision hits_decision() const;
  [[nodiscard]] std::uint64_t max_hit_filters() const noexcept;
  [[nodiscard]] bool fills_reject() const;
  [[nodiscard]] double hits_p_value() const;
  [[nodiscard]] LoadVerdict::Outcome outcome(bool was_stopped) const;

  Claim claim_;
  Settings settings_;
  double level_;  // of each of the tests
  HitsTest hits_;
  std::optional<FillTest> fills_;  // of a subject that tells them
  double rate_;                    // of the present filter, as far as it is known
  LoadVerdict verdict_;
};

}  // namespace bloometry
