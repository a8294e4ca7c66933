#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/bench/operation.hpp"
#include "experiments/bench/target.hpp"

namespace bloometry::bench {

/// Settings of a benchmark. Empty lists mean all.
struct BenchSettings {
  std::vector<std::string> targets{};  ///< names of variants and peers
  std::vector<std::uint64_t> num_keys{1'000'000};
  double rate = 0.01;
  std::vector<std::string> ops{};
  std::vector<std::string> keys{"random", std::string(kStrings)};  ///< of all_bench_keys()
  std::string hash{};                                              ///< empty: the default
  std::uint64_t num_repetitions = 5;
  std::uint64_t num_queries = 1'000'000;  ///< per op, call and repetition
  std::uint64_t seed = 1;
  /// Numbers of threads for queries, and for inserts if a filter allows it. A plan lists them in
  /// ascending order and always includes 1.
  std::vector<unsigned> threads{1};
  std::optional<std::uint64_t> initial_capacity{};  ///< for filters that grow
};

/// One n and one source of keys. Its targets are measured together, interleaved.
struct BenchCase {
  std::uint64_t num_keys = 0;
  std::string keys = "random";
  std::vector<TargetPlan> plans;    ///< buildable ones, in the order of the lists
  std::vector<TargetPlan> refused;  ///< the others
};

/// The resolved settings of a run.
struct BenchPlan {
  BenchSettings settings;
  std::vector<Op> ops;
  std::vector<BenchCase> cases;
};

/// The resources of the machine.
struct BenchLimits {
  std::uint64_t memory_bytes = 0;  ///< 0: unknown, nothing is rejected
  unsigned num_cpus = 1;           ///< threads at most
};

/// Least and greatest number of keys, and least number per thread. Fewer keys are below the clock's
/// resolution, and libbloom does not accept them. Key numbers are permuted in 64 bits.
inline constexpr std::uint64_t kFewestKeys = 1'000;
inline constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 32U;

/// Returns the memory of a case: all its filters, which exist at once, and an array for the floor
/// as large as the largest filter.
[[nodiscard]] std::uint64_t memory_bytes_of(const BenchCase& bench_case) noexcept;

/// Checks the settings and sizes every filter.
/// @param targets available targets; concurrent ones are included if they are named, or if
/// several threads are requested.
/// @throws ConfigError listing every problem of the settings; also for a case that does not fit the
/// memory.
[[nodiscard]] BenchPlan make_bench_plan(const BenchSettings& settings,
                                        std::span<const TargetKind> targets,
                                        const BenchLimits& limits);

}  // namespace bloometry::bench
