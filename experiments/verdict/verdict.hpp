#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/output/run_folder.hpp"
#include "experiments/unit/trial_row.hpp"
#include "experiments/verdict/point_work.hpp"
#include "experiments/verdict/row_context.hpp"

namespace bloometry {

/// False-alarm probability of a verdict, unless the user chooses another one.
inline constexpr double kDefaultFalseAlarm = 1e-6;

/// Why the refused inserts of a filter are not tested that does not refuse any.
inline constexpr std::string_view kNotLimited = "the filter is not limited";

/// The results of the tests of one trial row.
struct RowVerdict {
  TrialRow row;
  RowContext context{};
  bool tested = false;             ///< whether exemption_reason is empty
  bool agrees_with_counts = true;  ///< false if the counts contradict the row's conditional rate
  /// p-value of the exact binomial test of the false positives, given the filter's own state.
  std::optional<double> false_positives_p_value{};
  std::optional<double> fill_p_value{};       ///< p-value of the test of the fill by its law
  std::string fill_skipped_because{};         ///< why the fill is not tested; empty if it is tested
  std::optional<double> histogram_p_value{};  ///< p-value of the histogram of set probes
  std::string histogram_skipped_because{};    ///< why the histogram is not tested; empty if tested
  /// p-value of the test of the number of refused inserts. If only the odds of a refused insert are
  /// known, judge() computes it from all such rows of the run. If its law is unknown, the test is
  /// whether the refused inserts and the occupied cells are enough for the different fingerprints.
  std::optional<double> refused_inserts_p_value{};
  /// Why the number of refused inserts is not tested; empty if it is tested.
  std::string refused_inserts_skipped_because{};
  /// p-value of the exact binomial test of the expired keys of which no cell is left.
  std::optional<double> expired_p_value{};
  /// Why expired keys are not tested; empty if they are tested, or if the row does not have a
  /// window.
  std::string expired_skipped_because{};
  std::optional<double> expected_expired_present{};  ///< mean of that test, if it is made
  double expected_false_positives = 0;               ///< num_queries times the conditional rate
  std::optional<double> expected_ones{};     ///< mean of the fill's law, if the fill is tested
  std::optional<double> expected_ones_sd{};  ///< standard deviation of the fill's law
  /// Mean of the law of the refused inserts, or a bound of the odds, if the law is known.
  std::optional<double> expected_refused_inserts{};
  /// Standard deviation of the law of the refused inserts; absent if only the odds are known.
  std::optional<double> expected_refused_inserts_sd{};
  /// The expected histogram, if the histogram is tested.
  std::vector<double> expected_set_probe_counts{};
  bool deviates = false;  ///< whether `why` contains a reason
  std::string why{};      ///< reasons for the deviation
};

/// The result of testing a whole run.
struct Verdict {
  double false_alarm = kDefaultFalseAlarm;  ///< false-alarm probability of all tests together
  double threshold = 0;  ///< threshold of one test: false_alarm / num_tests (Bonferroni)
  std::uint64_t num_tests = 0;
  std::uint64_t num_tested_rows = 0;
  std::uint64_t num_deviations = 0;
  std::uint64_t num_false_negatives = 0;
  std::uint64_t num_window_violations = 0;
  std::uint64_t num_lost_duplicates = 0;
  std::uint64_t num_missing_units = 0;            ///< if not 0, the run is not accepted
  std::map<std::string, std::uint64_t> exempt{};  ///< number of exempt rows by reason
  std::vector<RowVerdict> rows{};                 ///< rows in order, the worst row first

  /// Returns whether the run is complete, at least one test was made, and num_deviations is 0.
  [[nodiscard]] bool accepted() const noexcept {
    return num_deviations == 0 && num_missing_units == 0 && num_tests > 0;
  }
};

/// Tests every row of a run against theory. The probability of rejecting a correct run is at most
/// false_alarm. Up to five tests apply to a tested row, and Bonferroni's correction covers all
/// tests.
///
/// The first test is the exact binomial test of the false positives, given the filter's own state.
/// The second test compares the fill with its exact law (theory 9.3). The third test compares the
/// histogram of set probes with its law, given the state (statistics::multinomial_p_value). The
/// fourth test compares the number of refused inserts of a limited filter with its law
/// (theory::RefusedInsertsLaw). The fifth test is the exact binomial test of the expired keys of a
/// window, given the filter's own state. A key of the window that tests negative is a violation of
/// the window. A duplicate that passes although the filter holds its key is lost.
///
/// Exempt rows have p-values too, but these p-values do not affect the result. If a false negative
/// occurs without wrongful erases, a violation of a window, or a lost duplicate, even in an exempt
/// row, the run is rejected without a test. The run is also rejected if a tested row's conditional
/// rate contradicts the row's counts. A run with a missing unit is not accepted.
/// @param run run in which every row belongs to a point of one of the run's units
/// @param workers number of threads and callback, which do not affect the result
/// @throws ConfigError if false_alarm is outside (0, 1), or if a unit contains an unknown name
/// @throws IoError if a thread cannot be started
[[nodiscard]] Verdict judge(const RunData& run, double false_alarm, const Workers& workers = {});

}  // namespace bloometry
