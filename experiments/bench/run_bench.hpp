#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "experiments/bench/bench_meter.hpp"
#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// Callbacks of a run.
struct BenchObserver {
  std::function<void(const BenchProgress&)> progress;  ///< called a few times per second
  std::function<void(const BenchResult&)> repetition;  ///< called after every repetition of a case
};

/// Runs every case. A repetition consists of builds (key_stream.hpp). A build fills every target,
/// queries the target with each query op, and empties the target if it can erase. The first target
/// changes with every pass. Before each timed pass of queries or of the floor, an untimed pass runs
/// a quarter of the number of queries. Each filling starts with clear(), which writes the whole
/// filter. With several threads, all threads repeat the query passes at the same time over the same
/// filter. The threads fill a filter together if the filter supports concurrent inserts.
///
/// @param kept cases of this plan with earlier repetitions. The earlier repetitions are not
/// measured again, and the result equals that of a single run.
/// @param interrupted flag that another thread or a signal handler sets to end the run within one
/// block of keys.
/// @throws std::bad_alloc if there is not enough memory, IoError if a thread cannot be started
[[nodiscard]] BenchResult run_bench(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                                    const std::atomic<bool>& interrupted,
                                    const BenchObserver& observer);

/// Returns an estimate of the seconds that run_bench needs. For the estimate, the function inserts
/// and queries some keys of each case in filters of full size.
/// @throws std::bad_alloc and IoError under the same conditions as run_bench; throws Interrupted if
/// the run is interrupted
[[nodiscard]] double estimate_seconds(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                                      const std::atomic<bool>& interrupted);

}  // namespace bloometry::bench
