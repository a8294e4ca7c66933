#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// The engines that use the real filter class. Both return one row per point, in the given order.

/// Fills one filter per number of hashes up to its largest checkpoint and queries it at each
/// checkpoint. With churn, each point has its own filter. Digests come from the shared store.
[[nodiscard]] std::vector<TrialRow> run_direct(UnitRun& run, std::span<const Point> points);

/// Runs the baseline for speed-ups, which works like other benchmark harnesses. For each point it
/// creates a new filter, makes and hashes all keys again, then inserts and queries key by key. The
/// loop over keys is the filter's own single-key insert and contains, inlined
/// (AnyFilter::insert_singly). It does not make a virtual call per key, use batches, or share work
/// between points. Keys are hashed in blocks into a buffer that stays in cache, which is faster
/// than hashing between two lookups.
[[nodiscard]] std::vector<TrialRow> run_naive(UnitRun& run, std::span<const Point> points);

/// Returns the number of key operations of each engine, summed over the points.
[[nodiscard]] std::uint64_t count_direct_operations(const Unit& unit,
                                                    std::span<const Point> points);
[[nodiscard]] std::uint64_t count_naive_operations(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
