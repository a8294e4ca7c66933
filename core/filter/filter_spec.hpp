#pragma once

#include <cstdint>
#include <optional>

#include "core/filter/params.hpp"

namespace bloometry {

/// What is asked of a filter. Every variant makes its geometry from it, and refuses what it cannot
/// serve.
///
/// Size is given in one of five ways: num_bits (memory), num_counters (cells of a counting filter),
/// num_blocks (of a filter of blocks), bits_per_key (memory, needs capacity), or
/// target_false_positive_rate (needs capacity unless the variant grows). A filter of blocks rounds
/// cells up to whole blocks. A spec has no seed: the seed belongs to the hasher.
struct FilterSpec {
  std::optional<std::uint64_t> capacity{};             ///< distinct keys the filter is sized for
  std::optional<double> target_false_positive_rate{};  ///< in (0, 1), at capacity
  std::optional<double> bits_per_key{};                ///< memory of all cells / capacity
  std::optional<std::uint64_t> num_bits{};             ///< memory of all cells, in bits
  std::optional<std::uint64_t> num_counters{};         ///< m of a counting filter
  std::optional<std::uint64_t> num_blocks{};           ///< of a filter of blocks
  std::optional<unsigned> num_hashes{};  ///< probes per key; left out: the best for the size
  Params params{};                       ///< what else the variant takes, by name
  /// In (0, 1): state() tells whether the filter is fuller (FilterState::exceeds_max_fill). Inserts
  /// do not look at it, and filters that differ in it alone merge: each keeps its own.
  std::optional<double> max_fill{};
};

/// The numbers m and k that a variant makes of a spec.
struct Geometry {
  std::uint64_t num_cells = 0;       ///< m of the formula: bits, or counters
  unsigned cell_bits = 1;            ///< bits of memory of a cell
  unsigned num_hashes = 0;           ///< k of the formula; 0: chosen stage by stage
  unsigned block_cells = 1;          ///< num_cells is a multiple of this; 1: no blocks
  std::optional<double> max_fill{};  ///< as in the spec; sizes do not depend on it

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells * cell_bits; }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return num_cells / block_cells; }

  friend bool operator==(const Geometry&, const Geometry&) noexcept = default;
};

}  // namespace bloometry
