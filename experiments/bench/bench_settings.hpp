#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/bench/operation.hpp"
#include "experiments/bench/target.hpp"

namespace bloometry::bench {

/// Settings of a benchmark. An empty list of names selects all possible names.
struct BenchSettings {
  std::vector<std::string> targets{};  ///< names of variants and peers
  std::vector<std::uint64_t> num_keys{1'000'000};
  double rate = 0.01;
  std::vector<std::string> ops{};
  std::vector<std::string> keys{"random", std::string(kStrings)};  ///< names from all_bench_keys()
  std::string hash{};  ///< name of a hash; empty: the default
  std::uint64_t num_repetitions = 5;
  std::uint64_t num_queries = 1'000'000;  ///< number of queries per op, call and repetition
  std::uint64_t seed = 1;
  /// Numbers of threads for queries, and for inserts into filters with concurrent inserts. A plan
  /// lists the numbers of threads in ascending order and always includes 1.
  std::vector<unsigned> threads{1};
  std::optional<std::uint64_t> initial_capacity{};  ///< capacity of a new filter that grows
};

/// One number of keys and one source of keys. The passes over the targets of a case alternate.
struct BenchCase {
  std::uint64_t num_keys = 0;
  std::string keys = "random";
  std::vector<TargetPlan> plans;    ///< targets that can be built, in the order of all targets
  std::vector<TargetPlan> refused;  ///< targets that cannot be built
};

/// The resolved settings of a run.
struct BenchPlan {
  BenchSettings settings;
  std::vector<Op> ops;
  std::vector<BenchCase> cases;
};

/// The resources of the machine.
struct BenchLimits {
  std::uint64_t memory_bytes = 0;  ///< 0 if unknown; every case is then accepted
  unsigned num_cpus = 1;           ///< largest number of threads
};

/// Smallest and largest number of keys of a case. kFewestKeys is also the smallest number of keys
/// per thread. The time for fewer than kFewestKeys keys is below the clock's resolution. In
/// addition, libbloom does not accept fewer than kFewestKeys keys.
inline constexpr std::uint64_t kFewestKeys = 1'000;
inline constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 32U;

/// Returns the memory of a case in bytes. All filters of the case exist at the same time, together
/// with an array for the floor that is as large as the largest filter.
[[nodiscard]] std::uint64_t memory_bytes_of(const BenchCase& bench_case) noexcept;

/// Checks the settings and sizes every filter.
/// @param targets available targets. The plan includes a concurrent target only if the settings
/// name the target or request several threads.
/// @throws ConfigError if the settings are not valid or a case exceeds the memory. The message
/// lists every problem.
[[nodiscard]] BenchPlan make_bench_plan(const BenchSettings& settings,
                                        std::span<const TargetKind> targets,
                                        const BenchLimits& limits);

}  // namespace bloometry::bench
