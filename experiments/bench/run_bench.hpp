#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "experiments/bench/bench_meter.hpp"
#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// Callbacks of a run.
struct BenchObserver {
  std::function<void(const BenchProgress&)> progress;  ///< called after every pass
  std::function<void(const BenchResult&)> repetition;  ///< called after every repetition of a case
};

/// Runs every case. A repetition consists of builds (key_stream.hpp), in which every target in turn
/// is filled, queried by each op and erased. The first target changes with every pass. Before each
/// timed pass of queries or of the floor, a quarter of its number of queries run untimed. A filling
/// begins after clear(), which touches the whole filter. With several threads, all threads repeat
/// the query passes at the same time over the same filter. The threads fill the filter together if
/// it supports concurrent inserts.
///
/// @param kept cases of this plan with earlier repetitions. These are not measured again, and the
/// result equals that of a single run.
/// @param interrupted another thread or a signal handler sets it; the run then ends within one
/// block of keys.
/// @throws std::bad_alloc if there is not enough memory, IoError if a thread cannot be started
[[nodiscard]] BenchResult run_bench(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                                    const std::atomic<bool>& interrupted,
                                    const BenchObserver& observer);

/// Returns the seconds that run_bench needs: it inserts and queries some keys of each case, in
/// filters of full size.
/// @throws std::bad_alloc, IoError under the conditions of run_bench; Interrupted if the run is
/// interrupted
[[nodiscard]] double estimate_seconds(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                                      const std::atomic<bool>& interrupted);

}  // namespace bloometry::bench
