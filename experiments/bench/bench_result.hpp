#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/bench/bench_settings.hpp"
#include "experiments/bench/floor.hpp"
#include "experiments/bench/key_stream.hpp"
#include "experiments/bench/operation.hpp"

namespace bloometry::bench {

/// The measured nanoseconds per key, one number per repetition.
using Repetitions = std::vector<double>;

/// The measurements of one target of a case.
struct TargetResult {
  TargetPlan plan;
  std::uint64_t num_bits = 0;  ///< size of the full filter
  std::map<Figure, Repetitions> ns_per_key{};
  std::array<Repetitions, kAllFloors.size()> floor_ns{};
  std::uint64_t num_absent_queries = 0;
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_false_negatives = 0;  ///< members that tested negative; must be 0
  std::uint64_t num_refused_erases = 0;
  std::uint64_t num_laps = 0;            ///< number of timed blocks
  std::uint64_t num_preempted_laps = 0;  ///< number of blocks during which the thread was preempted

  [[nodiscard]] const Repetitions& floor(Op op, Call call) const {
    return floor_ns[static_cast<std::size_t>(floor_of(op, call))];
  }
};

struct CaseResult {
  std::uint64_t num_keys = 0;
  std::string keys = "random";
  BuildPlan builds{};
  std::uint64_t num_repetitions = 0;  ///< number of complete repetitions
  /// Number of repetitions that each run of the program measured, in order. A resumed benchmark has
  /// several runs.
  std::vector<std::uint64_t> run_repetitions{};
  std::vector<TargetResult> targets{};
  std::vector<TargetPlan> refused{};
  std::uint64_t sum_of_lines =
      0;  ///< sum of the words read from the floor's array, so that reads are not optimised away
};

struct BenchResult {
  BenchPlan plan;
  std::vector<CaseResult> cases{};  ///< cases with a complete repetition, in the plan's order
  bool was_interrupted = false;     ///< true if an interrupt has left out some repetitions
};

}  // namespace bloometry::bench
