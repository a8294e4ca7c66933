#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Measures many points (n, k) of one standard filter with one insert pass and one query pass.
///
/// The index has one word per bit position. For each number of hashes k, the word contains a step:
/// the number of the checkpoint n at which the filter with k hashes first set that bit. Probes are
/// nested, because filter k uses the first k probes of one sequence. Probe j (from 0) therefore
/// belongs to the filters of all k > j.
/// - Insert: for each filter to which the probe belongs, sets the bit at the current step if it is
///   not set.
/// - Query: filter k is decided after k probes. A key is positive for (n, k) iff the latest step of
///   filter k over the probes is not after n. A query ends early when each filter with probes left
///   has an unset bit among its probes. A bit set in filter k is also set in all larger filters.
///   Filters are therefore set in descending order of k, and a word stores their steps as a path
///   (step_path.hpp) of one bit per filter and one per step. It needs 3 bytes for 10 x 10; one
///   nibble per filter would need 8. At these sizes memory limits the speed of both passes. If
///   there are more checkpoints than steps in a word (12 to 15), they are processed in groups. For
///   each further group the step of every set bit becomes 0, inserting continues, and the queries
///   are repeated.
///
/// Both passes are pipelined: positions are computed and their words prefetched well before they
/// are accessed. The counts are exactly those of the real class.

/// Returns whether this engine can answer the points: those of a standard filter without churn and
/// with k <= 16. It returns false for fewer than 4 such points, and for a table of more than 4 GiB.
[[nodiscard]] bool checkpoint_index_serves(const Unit& unit, std::span<const Point> points);

/// Maximum k of this engine.
inline constexpr unsigned kMaxIndexHashes = 16;

/// Returns one row per point, in the given order; every k must be in [1, 16].
/// @throws ConfigError as the filter's constructor does.
[[nodiscard]] std::vector<TrialRow> run_checkpoint_index(UnitRun& run,
                                                         std::span<const Point> points);

[[nodiscard]] std::uint64_t count_index_operations(std::span<const Point> points);

/// Returns the bytes of the table.
[[nodiscard]] std::uint64_t checkpoint_index_bytes(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
