#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "tests/support/runs/made_up_runs.hpp"

/// Lives of filters with a planted defect, judged by the tests of verify: how often is it found,
/// and how often should it be? Table: tests/statistical/README.md.
namespace bloometry::test {

/// One filter with the defect.
struct PlantedLife {
  TrialRow row{};
  RowContext context{};
  /// Rate of this very filter, cells and defect known: what its hits really follow.
  double true_rate = 0;
  /// Probability that the fill test finds such a filter; absent where no law of its fill is known.
  std::optional<double> fill_power{};
};

struct PlantedDefect {
  std::string name;
  std::string size;  ///< "n,m,k"
  std::uint64_t num_queries = 0;
  std::function<PlantedLife(std::uint64_t seed, std::uint64_t num_queries)> live;
};

/// The level of each test in the table: a false alarm of 1e-6 over 1000 tests.
inline constexpr double kPowerLevel = 1e-9;

/// Every defect; those that the hits show twice, at the numbers of queries where the test of the
/// hits finds them with probability 0.99 and 1/2.
[[nodiscard]] std::vector<PlantedDefect> planted_defects();

/// The defect of that name, at 0.99. @throws std::out_of_range
[[nodiscard]] PlantedDefect planted_defect(const std::string& name);

/// What became of many lives of one defect.
struct PowerCounts {
  std::uint64_t num_lives = 0;
  double expected_hits = 0;      ///< expected hits of a correct filter, mean over the lives
  double true_ratio = 0;         ///< true rate / rate given the state, mean
  double predicted_by_hits = 0;  ///< mean over the lives of binomial_test_power
  std::optional<double> predicted_by_fill{};
  std::uint64_t num_by_hits = 0;  ///< number found by the test of the hits
  std::uint64_t num_by_fill = 0;
  std::uint64_t num_by_histogram = 0;
  std::uint64_t num_found = 0;  ///< number found by any test
};

[[nodiscard]] PowerCounts count_found(const PlantedDefect& defect, std::uint64_t num_lives,
                                      std::uint64_t seed);

}  // namespace bloometry::test
