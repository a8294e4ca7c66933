#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// The engines that use the real filter class. The engines return one row per point, in the given
/// order.

/// Fills one filter per number of hashes k, up to the largest checkpoint of that k. Queries the
/// filter at each checkpoint. With churn, each point has its own filter. The digests come from the
/// shared store.
[[nodiscard]] std::vector<TrialRow> run_direct(UnitRun& run, std::span<const Point> points);

/// Runs the naive engine, which works like other benchmark harnesses and is the baseline for
/// speed-ups. For each point, the naive engine creates a new filter, makes and hashes all keys
/// again, and inserts and queries key by key. The loop over keys inlines the filter's own
/// single-key insert and contains (AnyFilter::insert_singly). The naive engine does not make
/// virtual calls per key, does not use batches, and does not share work between points. The naive
/// engine hashes keys in blocks into a buffer that stays in cache. Hashing in blocks is faster than
/// hashing between two lookups.
[[nodiscard]] std::vector<TrialRow> run_naive(UnitRun& run, std::span<const Point> points);

/// Returns the number of key operations of the engine, summed over the points.
[[nodiscard]] std::uint64_t count_direct_operations(const Unit& unit,
                                                    std::span<const Point> points);
[[nodiscard]] std::uint64_t count_naive_operations(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
