#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "tests/support/runs/made_up_runs.hpp"

/// Filters with a planted defect, which the tests of `verify` must detect. The tests compare the
/// observed with the expected frequency of detection. tests/statistical/README.md contains the
/// table.
namespace bloometry::test {

/// A filter with a planted defect.
struct PlantedFilter {
  TrialRow row{};
  RowContext context{};
  /// True rate of the filter, computed from the cells and the defect. The false positives of the
  /// filter follow the true rate.
  double true_rate = 0;
  /// Probability that the fill test detects a filter with the defect, or nullopt if the law of the
  /// fill is unknown.
  std::optional<double> fill_power{};
};

struct PlantedDefect {
  std::string name;
  std::string size;  ///< "n,m,k"
  std::uint64_t num_queries = 0;
  std::function<PlantedFilter(std::uint64_t seed, std::uint64_t num_queries)> make;
};

/// The level of each test in the table, for a false-alarm probability of 1e-6 over 1000 tests.
inline constexpr double kPowerLevel = 1e-9;

/// Returns every defect. A defect that the test of the false positives detects appears twice. The
/// first entry has the number of queries for a detection with probability 0.99. The second entry
/// has the number of queries for a detection with probability 1/2.
[[nodiscard]] std::vector<PlantedDefect> planted_defects();

/// Returns the defect with the given name. The number of queries is such that the test of the false
/// positives detects the defect with probability 0.99.
/// @throws std::out_of_range
[[nodiscard]] PlantedDefect planted_defect(const std::string& name);

/// The results for many filters with one defect.
struct PowerCounts {
  std::uint64_t num_filters = 0;
  double expected_false_positives =
      0;                  ///< expected false positives of a correct filter, mean over the filters
  double true_ratio = 0;  ///< true rate / rate given the state, mean over the filters
  double predicted_by_false_positives = 0;  ///< mean of binomial_test_power over the filters
  std::optional<double> predicted_by_fill{};
  std::uint64_t num_by_false_positives = 0;  ///< filters that the test of false positives rejects
  std::uint64_t num_by_fill = 0;
  std::uint64_t num_by_histogram = 0;
  std::uint64_t num_found = 0;  ///< filters that at least one test rejects
};

[[nodiscard]] PowerCounts count_found(const PlantedDefect& defect, std::uint64_t num_filters,
                                      std::uint64_t seed);

}  // namespace bloometry::test
