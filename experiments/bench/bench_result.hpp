#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "experiments/bench/bench_settings.hpp"
#include "experiments/bench/floor.hpp"
#include "experiments/bench/key_stream.hpp"
#include "experiments/bench/operation.hpp"

namespace bloometry::bench {

/// Nanoseconds per key, one number for each repetition.
using Repetitions = std::vector<double>;

/// What was measured of one subject of a case.
struct SubjectResult {
  SubjectPlan plan;
  std::uint64_t num_bits = 0;  ///< when it was full
  std::map<Figure, Repetitions> ns_per_key{};
  std::array<Repetitions, kAllFloors.size()> floor_ns{};
  std::uint64_t num_absent_queries = 0;
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_false_negatives = 0;  ///< not 0: the filter is broken
  std::uint64_t num_refused_erases = 0;
  std::uint64_t num_laps = 0;            ///< blocks that were timed
  std::uint64_t num_preempted_laps = 0;  ///< of these left out, as the core was taken away

  [[nodiscard]] const Repetitions& floor(Op op, Call call) const {
    return floor_ns[static_cast<std::size_t>(floor_of(op, call))];
  }
};

struct CaseResult {
  std::uint64_t num_keys = 0;
  KeyKind keys = KeyKind::kInteger;
  LifePlan lives{};
  std::uint64_t num_repetitions = 0;  ///< that are complete
  std::vector<SubjectResult> subjects{};
  std::vector<SubjectPlan> refused{};
  std::uint64_t sum_of_lines = 0;  ///< what the floor read: kept so that reading is not removed
};

struct BenchResult {
  BenchPlan plan;
  std::vector<CaseResult> cases{};  ///< those with a complete repetition, in the plan's order
  bool was_interrupted = false;     ///< some repetitions are missing then
};

}  // namespace bloometry::bench
