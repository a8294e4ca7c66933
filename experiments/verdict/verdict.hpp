#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/output/run_folder.hpp"
#include "experiments/rows/trial_row.hpp"
#include "experiments/verdict/point_work.hpp"
#include "experiments/verdict/row_context.hpp"

namespace bloometry {

/// The tests of one trial row.
struct RowVerdict {
  TrialRow row;
  RowContext context{};
  bool tested = false;             ///< exclusion_reason is empty
  bool agrees_with_counts = true;  ///< false: the counts contradict the row's conditional rate
  std::optional<double>
      hits_p_value{};  ///< exact binomial test of hits given the filter's own state
  std::optional<double> fill_p_value{};  ///< test of the fill by its law
  std::string fill_skipped_because{};    ///< why there is no fill test; empty if there is one
  std::optional<double>
      histogram_p_value{};  ///< test of the set probes of the first queries by their law
  std::string histogram_skipped_because{};   ///< why there is none; empty if there is one
  double expected_hits = 0;                  ///< num_queries * conditional rate
  std::optional<double> expected_ones{};     ///< mean and standard deviation of the fill's law,
  std::optional<double> expected_ones_sd{};  ///< where it is tested
  std::vector<double> expected_set_probe_counts{};  ///< of the histogram, where it is tested
  bool deviates = false;  ///< a p-value below the threshold, or a false negative
  std::string why{};      ///< of a deviation, in words
};

/// What verify decides over a whole run.
struct Verdict {
  double false_alarm = 1e-6;  ///< asked for, over all tests together
  double threshold = 0;       ///< per test: false_alarm / num_tests (Bonferroni)
  std::uint64_t num_tests = 0;
  std::uint64_t num_tested_rows = 0;
  std::uint64_t num_deviations = 0;
  std::uint64_t num_false_negatives = 0;
  std::uint64_t num_missing_units = 0;             ///< an incomplete run is no evidence
  std::map<std::string, std::uint64_t> studied{};  ///< reason -> rows
  std::vector<RowVerdict> rows{};                  ///< worst first

  /// Returns whether the run is complete, something was tested, and nothing deviates.
  [[nodiscard]] bool accepted() const noexcept {
    return num_deviations == 0 && num_missing_units == 0 && num_tests > 0;
  }
};

/// Tests every row of a run against theory, so that an honest run is rejected with probability at
/// most false_alarm. Per tested row: the exact binomial test of the hits given the filter's own
/// state, the test of the fill by its exact law (theory 9.3), and the test of the histogram of set
/// probes given the state (statistics::multinomial_p_value); Bonferroni over all of them. Rows
/// that are only studied get their p-values too, but never gate. A false negative without wrongful
/// erases, a conditional rate that its own counts contradict, and a missing unit gate without a
/// test.
/// @param run every row is of a point of one of its units.
/// @param workers the verdict is the same whatever their number.
/// @throws ConfigError if false_alarm is outside (0, 1), or a unit names what does not exist.
/// @throws IoError if a thread cannot be started.
[[nodiscard]] Verdict judge(const RunData& run, double false_alarm, const Workers& workers = {});

}  // namespace bloometry
