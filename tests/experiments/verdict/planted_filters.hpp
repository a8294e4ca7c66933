#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "tests/support/runs/made_up_runs.hpp"

/// Filters with a planted defect that the tests of verify judge. The observed frequency of
/// detection is compared with the expected one. tests/statistical/README.md contains the table.
namespace bloometry::test {

/// One filter with the defect.
struct PlantedFilter {
  TrialRow row{};
  RowContext context{};
  /// True rate of this filter, computed from its cells and its defect. Its false positives follow
  /// this rate.
  double true_rate = 0;
  /// Probability that the fill test detects a filter with this defect. Absent if the law of the
  /// fill is unknown.
  std::optional<double> fill_power{};
};

struct PlantedDefect {
  std::string name;
  std::string size;  ///< "n,m,k"
  std::uint64_t num_queries = 0;
  std::function<PlantedFilter(std::uint64_t seed, std::uint64_t num_queries)> make;
};

/// The level of each test in the table: a false alarm of 1e-6 over 1000 tests.
inline constexpr double kPowerLevel = 1e-9;

/// Returns every defect. Defects that the false positives reveal appear twice, with the numbers of
/// queries at which the test of the false positives detects them with probability 0.99 and 1/2.
[[nodiscard]] std::vector<PlantedDefect> planted_defects();

/// Returns the defect of that name, with the number of queries that detects it with probability
/// 0.99.
/// @throws std::out_of_range
[[nodiscard]] PlantedDefect planted_defect(const std::string& name);

/// The results for many filters with one defect.
struct PowerCounts {
  std::uint64_t num_filters = 0;
  double expected_false_positives =
      0;                  ///< expected false positives of a correct filter, mean over the filters
  double true_ratio = 0;  ///< true rate / rate given the state, mean
  double predicted_by_false_positives = 0;  ///< mean over the filters of binomial_test_power
  std::optional<double> predicted_by_fill{};
  std::uint64_t num_by_false_positives = 0;  ///< number found by the test of the false positives
  std::uint64_t num_by_fill = 0;
  std::uint64_t num_by_histogram = 0;
  std::uint64_t num_found = 0;  ///< number found by any test
};

[[nodiscard]] PowerCounts count_found(const PlantedDefect& defect, std::uint64_t num_filters,
                                      std::uint64_t seed);

}  // namespace bloometry::test
