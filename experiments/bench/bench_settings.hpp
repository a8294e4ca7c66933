#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/bench/operation.hpp"
#include "experiments/bench/subject.hpp"

namespace bloometry::bench {

/// What is asked of a benchmark. Empty lists stand for everything.
struct BenchSettings {
  std::vector<std::string> subjects{};  ///< names of variants and peers
  std::vector<std::uint64_t> num_keys{1'000'000};
  double rate = 0.01;
  std::vector<std::string> ops{};
  std::vector<std::string> keys{};  ///< integer, string
  std::string hash{};               ///< empty: the default
  std::uint64_t num_repetitions = 5;
  std::uint64_t num_queries = 1'000'000;  ///< for each op and call in each repetition
  std::uint64_t seed = 1;
  /// Of queries, and of inserts where a filter allows it. In a plan ascending, from 1 on: one
  /// thread is always measured.
  std::vector<unsigned> threads{1};
  std::optional<std::uint64_t> initial_capacity{};  ///< of filters that grow
};

/// One n and one kind of keys: its subjects are measured together, interleaved.
struct BenchCase {
  std::uint64_t num_keys = 0;
  KeyKind keys = KeyKind::kInteger;
  std::vector<SubjectPlan> plans;    ///< those that can be built, in the order of the lists
  std::vector<SubjectPlan> refused;  ///< those that cannot
};

/// The settings as they will be run.
struct BenchPlan {
  BenchSettings settings;
  std::vector<Op> ops;
  std::vector<BenchCase> cases;
};

/// What the machine has for a benchmark.
struct BenchLimits {
  std::uint64_t memory_bytes = 0;  ///< 0: unknown, nothing is refused
  unsigned num_cpus = 1;           ///< threads at most
};

/// Fewest and most keys, the fewest for each thread: fewer are gone within the clock's resolution
/// and libbloom takes none; key numbers are permuted in 64 bits.
inline constexpr std::uint64_t kFewestKeys = 1'000;
inline constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 32U;

/// Memory that a case takes: all its filters at once, so that they can be interleaved, and an array
/// for the floor as large as the largest.
[[nodiscard]] std::uint64_t memory_bytes_of(const BenchCase& bench_case) noexcept;

/// Checks the settings and sizes every filter.
/// @param subjects that can be measured; concurrent ones take part if they are named, or if several
/// threads are asked for.
/// @throws ConfigError with every problem of the settings; also for a case that does not fit
/// the memory.
[[nodiscard]] BenchPlan make_bench_plan(const BenchSettings& settings,
                                        std::span<const SubjectKind> subjects,
                                        const BenchLimits& limits);

}  // namespace bloometry::bench
