#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiments/verdict/summary.hpp"

namespace bloometry::report {

/// The time of a query for an absent key, as measured by `bloometry bench`.
struct BenchTime {
  std::string variant;
  std::string call;  ///< single or batch
  std::string view;  ///< title of the view, such as "1,000,000 keys, random"
  std::uint64_t num_inserted = 0;
  std::uint64_t num_bits = 0;
  std::optional<std::uint64_t> num_hashes{};
  std::optional<std::uint64_t> initial_capacity{};  ///< if the filter grows
  std::uint64_t num_queries = 0;
  std::uint64_t num_false_positives = 0;
  double interval_lower = 0;  ///< lower end of the rate's 95 % interval
  double interval_upper = 0;
  double ns = 0;  ///< median time of the repetitions
  double ns_min = 0;
  double ns_max = 0;
};

struct BenchTimes {
  std::vector<BenchTime> times;
  std::set<std::string> machines;  ///< machines on which the times were measured
  std::size_t num_of_others = 0;   ///< number of times of filters that the run does not have
};

/// Returns the times of the run's variants, from files that `bloometry bench --json` wrote. Times
/// of other filters are counted.
/// @throws ConfigError naming --bench and the file, if the file is not a benchmark file. Throws
/// ConfigError if the file lacks times of absent keys or variants of the run.
[[nodiscard]] BenchTimes read_bench_times(const std::vector<std::filesystem::path>& files,
                                          std::span<const SummaryRow> run);

}  // namespace bloometry::report
