#pragma once

#include <cstdint>
#include <optional>

#include "core/filter/params.hpp"

namespace bloometry {

/// The request for a filter. Every variant computes its geometry from it, and rejects a spec that
/// it cannot satisfy.
///
/// The spec gives the size in one of five ways. num_bits is the memory in bits, num_counters the
/// number of cells of a counting filter, and num_blocks the number of blocks. bits_per_key is the
/// memory per key and needs capacity. target_false_positive_rate needs capacity unless the variant
/// grows. A filter of blocks rounds its number of cells up to whole blocks. A spec does not have a
/// seed: the seed belongs to the hasher.
struct FilterSpec {
  std::optional<std::uint64_t> capacity{};  ///< distinct keys for which the filter is sized
  std::optional<double> target_false_positive_rate{};  ///< in (0, 1), at capacity
  std::optional<double> bits_per_key{};                ///< memory of all cells / capacity
  std::optional<std::uint64_t> num_bits{};             ///< memory of all cells, in bits
  std::optional<std::uint64_t> num_counters{};         ///< m of a counting filter
  std::optional<std::uint64_t> num_blocks{};           ///< number of blocks of a filter of blocks
  std::optional<unsigned> num_hashes{};  ///< probes per key; default: the best for the size
  Params params{};                       ///< further parameters of the variant, by name
  /// A share of the cells, in (0, 1). state() reports whether the filter is fuller
  /// (FilterState::exceeds_max_fill). Inserts do not check max_fill. Filters that differ only in
  /// max_fill can be merged; each keeps its own value.
  std::optional<double> max_fill{};
};

/// The numbers m and k that a variant computes from a spec.
struct Geometry {
  std::uint64_t num_cells = 0;       ///< m of the formula: bits, or counters
  unsigned cell_bits = 1;            ///< bits of memory of a cell
  unsigned num_hashes = 0;           ///< k of the formula; 0: chosen stage by stage
  unsigned block_cells = 1;          ///< num_cells is a multiple of this; 1: no blocks
  std::optional<double> max_fill{};  ///< max_fill of the spec; does not affect sizes

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells * cell_bits; }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return num_cells / block_cells; }

  friend bool operator==(const Geometry&, const Geometry&) noexcept = default;
};

}  // namespace bloometry
