#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
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
  std::map<std::pair<Op, Call>, Repetitions> ns_per_key{};
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
  LifePlan lives;
  std::vector<SubjectResult> subjects;
  std::vector<SubjectPlan> refused;
  std::uint64_t sum_of_lines = 0;  ///< what the floor read: kept so that reading is not removed
};

/// How far a benchmark is.
struct BenchProgress {
  std::uint64_t num_steps = 0;  ///< one subject in one repetition
  std::uint64_t num_steps_done = 0;
  std::uint64_t num_keys = 0;  ///< inserted, asked, erased
  std::uint64_t num_keys_planned = 0;
  double elapsed_s = 0;
};

struct BenchResult {
  BenchPlan plan;
  std::vector<CaseResult> cases;
  bool was_interrupted = false;  ///< cases are incomplete then
};

/// Runs every case: repetitions of lives (key_stream.hpp), in each of which every subject in turn
/// is filled, asked by each op and erased; who comes first moves on with every pass. Before a timed
/// pass of queries or of the floor, a quarter as many run untimed; a filling begins after clear(),
/// which touches the whole filter.
///
/// @param interrupted set from outside: ends within one block of keys.
/// @param observe called after every pass.
/// @throws std::bad_alloc
[[nodiscard]] BenchResult run_bench(const BenchPlan& plan, const std::atomic<bool>& interrupted,
                                    const std::function<void(const BenchProgress&)>& observe);

}  // namespace bloometry::bench
