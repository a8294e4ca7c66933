#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// The engines that run the real filter class. Both give one row per point, in the order given.

/// One filter for each number of hashes, filled up to its largest checkpoint and asked at each on
/// the way; with churn one filter for each point. Digests come from the shared store.
[[nodiscard]] std::vector<TrialRow> run_direct(UnitRun& run, std::span<const Point> points);

/// The baseline that speed-ups are stated against, and what every other harness does: for each
/// point a new filter, all keys made and hashed anew, then inserted and asked key by key. The loop
/// over keys is the filter's own single-key insert and contains, inlined
/// (AnyFilter::insert_singly): no virtual call a key, no batch, nothing shared between points.
/// Blocks are hashed into a buffer that stays in cache, which is faster than hashing between two
/// look-ups.
[[nodiscard]] std::vector<TrialRow> run_naive(UnitRun& run, std::span<const Point> points);

/// Key operations that each will take, all points together.
[[nodiscard]] std::uint64_t count_direct_operations(const Unit& unit,
                                                    std::span<const Point> points);
[[nodiscard]] std::uint64_t count_naive_operations(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
