#pragma once

#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Answers many (n, k) of one standard filter in one insert pass and one query pass.
///
/// Per position of the filter there is a word that says, for each number of hashes k (a lane), at
/// which of the n checkpoints (a step) filter k first set that bit. Probes are nested (filter k
/// uses the first k of one sequence), so probe j (from 0) concerns the lanes of all k > j.
/// - Insert: the lanes concerned that are not set are set at the current step.
/// - Query: lane k is final after k probes; a key is positive for (n, k) iff the latest step of the
///   lane over the probes is not after n. A key ends when no open lane is set in all of its words.
/// Whatever sets a bit of filter k sets it in all larger ones, so lanes are set in descending order
/// of k and a word is a staircase (staircase.hpp): one bit a lane and one a step, 3 bytes for 10 x
/// 10 where a nibble a lane would take 8. At these sizes memory is what the passes wait for. More
/// checkpoints than a word has steps for (12 to 15) are taken in groups: the steps start again with
/// every set bit at step 0, inserting goes on, and the queries are asked once more.
///
/// Both passes are pipelined: positions are made and their words prefetched well before they are
/// touched. Exact: same counts as the real class.

/// Whether the points of a unit can be answered so, and whether it is worth the memory: standard
/// filter, no churn, k <= 16, at least 4 such points, table of at most 4 GiB.
[[nodiscard]] bool first_set_words_serve(const Unit& unit, std::span<const Point> points);

/// Points that have to go elsewhere: those with k > 16.
inline constexpr unsigned kMaxFirstSetHashes = 16;

/// One row per point, in the order given; every k in [1, 16].
/// @throws ConfigError as the filter's constructor does.
[[nodiscard]] std::vector<TrialRow> run_first_set_words(UnitRun& run,
                                                        std::span<const Point> points);

[[nodiscard]] std::uint64_t count_first_set_operations(std::span<const Point> points);

/// Bytes of the table.
[[nodiscard]] std::uint64_t first_set_table_bytes(const Unit& unit, std::span<const Point> points);

}  // namespace bloometry
