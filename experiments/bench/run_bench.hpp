#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "experiments/bench/bench_meter.hpp"
#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// Whom a run tells what it does.
struct BenchObserver {
  std::function<void(const BenchProgress&)> progress;  ///< after every pass
  std::function<void(const BenchResult&)> repetition;  ///< after every repetition of a case
};

/// Runs every case: repetitions of lives (key_stream.hpp), in each of which every subject in turn
/// is filled, asked by each op and erased; who comes first moves on with every pass. Before a timed
/// pass of queries or of the floor, a quarter as many run untimed; a filling begins after clear(),
/// which touches the whole filter. With several threads the passes of queries are run again by all
/// of them at once, over the same filter, which they have filled together if it can be.
///
/// @param kept cases of this plan of which repetitions were measured before; those are not measured
/// again, and the result is what one run would have measured.
/// @param interrupted set from outside: ends within one block of keys.
/// @throws std::bad_alloc, IoError if a thread cannot be started
[[nodiscard]] BenchResult run_bench(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                                    const std::atomic<bool>& interrupted,
                                    const BenchObserver& observer);

/// Returns the seconds that run_bench takes: some keys of each case are inserted and asked, in
/// filters of full size.
/// @throws std::bad_alloc, IoError as run_bench; Interrupted
[[nodiscard]] double estimate_seconds(const BenchPlan& plan, const std::vector<CaseResult>& kept,
                                      const std::atomic<bool>& interrupted);

}  // namespace bloometry::bench
