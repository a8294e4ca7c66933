#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Answers many (n, k) of one standard filter in one insert pass and one query pass.
///
/// The table has one word per position of the filter. For each number of hashes k (a lane) the word
/// stores the checkpoint n (a step) at which filter k first set that bit. Probes are nested: filter
/// k uses the first k of one sequence. Probe j (from 0) therefore concerns the lanes of all k > j.
/// - Insert: sets the concerned lanes that are not yet set, at the current step.
/// - Query: lane k is final after k probes. A key is positive for (n, k) iff the latest step of the
///   lane over the probes is not after n. A key is finished when every open lane is unset in one of
///   its words. A bit set in filter k is also set in all larger filters. Lanes are therefore set in
///   descending order of k, and a word is a staircase (staircase.hpp): one bit per lane and one per
///   step. That is 3 bytes for 10 x 10, where one nibble per lane needs 8. At these sizes memory
///   limits both passes. If there are more checkpoints than steps in a word (12 to 15), they are
///   processed in groups. The steps restart with every set bit at step 0, inserting continues, and
///   the queries are repeated.
///
/// Both passes are pipelined: positions are computed and their words prefetched well before they
/// are accessed. The counts are exactly those of the real class.

/// Returns whether this engine can answer the points: standard filter without churn, k <= 16. To be
/// worth its memory it needs at least 4 such points and a table of at most 4 GiB.
[[nodiscard]] bool first_set_words_serve(const Unit& unit, std::span<const Point> points);

/// Points with a larger k need another engine.
inline constexpr unsigned kMaxFirstSetHashes = 16;

/// Returns one row per point, in the given order; every k must be in [1, 16].
/// @throws ConfigError as the filter's constructor does.
[[nodiscard]] std::vector<TrialRow> run_first_set_words(UnitRun& run,
                                                        std::span<const Point> points);

[[nodiscard]] std::uint64_t count_first_set_operations(std::span<const Point> points);

/// Returns the bytes of the table.
[[nodiscard]] std::uint64_t first_set_table_bytes(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
