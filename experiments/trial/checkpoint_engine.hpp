#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// The checkpoint engine measures many points (n, k) of one standard filter with one insert pass
/// and one query pass. The counts of the engine equal the counts of the real class.
///
/// The index has one word per bit position. For each number of hashes k, the word contains a step.
/// The step is the index of the checkpoint n at which the filter with k hashes first set the bit.
/// Probes are nested, because filter k uses the first k probes of one sequence. Probe j (from 0)
/// therefore belongs to the filters with k > j.
///
/// - Insert: The insert pass sets each bit of a key at the current step, unless the bit is already
///   set.
/// - Query: The first k probes determine whether filter k contains the key. Filter k contains a key
///   at checkpoint n if, for each of the key's first k probes, the step for filter k is at or
///   before n. A query ends early when, for each filter with remaining probes, an earlier probe has
///   found an unset bit.
///
/// A bit that is set in filter k is also set in all filters with a larger k. The filters therefore
/// set a bit in descending order of k. A word stores the steps of all filters as a path
/// (step_path.hpp) with one bit per filter and one bit per step. For 10 filters and 10 steps, a
/// word needs 3 bytes as a path and would need 8 bytes with one nibble per filter. Words are small
/// because memory limits the speed of both passes.
///
/// A word has 12 to 15 steps. If the unit has more checkpoints, the engine processes them in
/// groups. Before each further group, it changes the step of every set bit to 0. It then continues
/// to insert keys, and repeats the queries.
///
/// The insert pass and the query pass are pipelined: positions are computed and their words are
/// prefetched well before the words are accessed.

/// Returns whether the checkpoint engine supports the points, all of which must have k <= 16. The
/// checkpoint engine supports at least 4 points of a standard filter without churn, with a table of
/// at most 4 GiB.
[[nodiscard]] bool checkpoint_index_serves(const Unit& unit, std::span<const Point> points);

/// Maximum k of the checkpoint engine.
inline constexpr unsigned kMaxIndexHashes = 16;

/// Returns one row per point, in the given order. Every k must be in [1, 16]. @throws ConfigError
/// as the filter's constructor does
[[nodiscard]] std::vector<TrialRow> run_checkpoint_index(UnitRun& run,
                                                         std::span<const Point> points);

[[nodiscard]] std::uint64_t count_index_operations(std::span<const Point> points);

/// Returns the size of the table in bytes.
[[nodiscard]] std::uint64_t checkpoint_index_bytes(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
