#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Answers many (n, k) of one standard filter in one insert pass and one query pass.
///
/// The index has one word per position. For each number of hashes k the word stores the checkpoint
/// n (a step) at which the filter with k hashes first set that bit. Probes are nested: filter k
/// uses the first k of one sequence. Probe j (from 0) therefore concerns the filters of all k > j.
/// - Insert: sets the bit in the concerned filters that have not set it yet, at the current step.
/// - Query: filter k is decided after k probes. A key is positive for (n, k) iff the latest step of
///   filter k over the probes is not after n. A key is finished when every filter that still has
///   probes has not set the bit of one of them. A bit set in filter k is also set in all larger
///   filters. Filters are therefore set in descending order of k, and a word stores the path of
///   their steps (step_path.hpp): one bit per filter and one per step. That is 3 bytes for 10 x 10,
///   where one nibble per filter needs 8. At these sizes memory limits both passes. If there are
///   more checkpoints than steps in a word (12 to 15), they are processed in groups. The steps
///   restart with every set bit at step 0, inserting continues, and the queries are repeated.
///
/// Both passes are pipelined: positions are computed and their words prefetched well before they
/// are accessed. The counts are exactly those of the real class.

/// Returns whether this engine can answer the points: standard filter without churn, k <= 16. To be
/// worth its memory it needs at least 4 such points and a table of at most 4 GiB.
[[nodiscard]] bool checkpoint_index_serves(const Unit& unit, std::span<const Point> points);

/// Points with a larger k need another engine.
inline constexpr unsigned kMaxIndexHashes = 16;

/// Returns one row per point, in the given order; every k must be in [1, 16].
/// @throws ConfigError as the filter's constructor does.
[[nodiscard]] std::vector<TrialRow> run_checkpoint_index(UnitRun& run,
                                                         std::span<const Point> points);

[[nodiscard]] std::uint64_t count_index_operations(std::span<const Point> points);

/// Returns the bytes of the table.
[[nodiscard]] std::uint64_t checkpoint_index_bytes(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
