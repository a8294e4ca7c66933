#pragma once

#include <cstdint>
#include <optional>

#include "core/contract/params.hpp"

namespace bloometry {

/// Specification of a filter. Every variant computes its geometry from the spec, and throws
/// ConfigError if the variant does not support the spec.
///
/// One of five members gives the size of the filter: num_bits, num_counters, num_blocks,
/// bits_per_key or target_false_positive_rate. The member bits_per_key requires `capacity`. The
/// member target_false_positive_rate requires `capacity` if the variant does not grow. A filter of
/// blocks rounds its number of cells up to whole blocks. A spec has no seed, because the seed
/// belongs to the hasher.
struct FilterSpec {
  std::optional<std::uint64_t>
      capacity{};  ///< number of distinct keys for which the filter is sized
  std::optional<double>
      target_false_positive_rate{};         ///< false-positive rate at capacity, in (0, 1)
  std::optional<double> bits_per_key{};     ///< memory of all cells, in bits, divided by capacity
  std::optional<std::uint64_t> num_bits{};  ///< memory of all cells, in bits
  std::optional<std::uint64_t> num_counters{};  ///< number of cells of a counting filter
  std::optional<std::uint64_t> num_blocks{};    ///< number of blocks of a filter of blocks
  std::optional<unsigned>
      num_hashes{};  ///< probes per key; the default is the best number for the size
  Params params{};   ///< parameters of the variant, by name
  /// Limit of the share of non-zero cells, in (0, 1). The function state() reports whether the
  /// filter exceeds the limit (FilterState::exceeds_max_fill). Inserts do not check max_fill.
  /// Filters that differ only in max_fill can be merged, and each filter keeps its own max_fill.
  std::optional<double> max_fill{};
};

/// Sizes, such as m and k, that a variant computes from a spec.
struct Geometry {
  std::uint64_t num_cells = 0;       ///< m of the formula: number of bits or counters
  unsigned cell_bits = 1;            ///< bits of memory per cell
  unsigned num_hashes = 0;           ///< k of the formula; 0 if each stage has its own k
  unsigned block_cells = 1;          ///< cells per block; 1 for a filter without blocks
  std::optional<double> max_fill{};  ///< max_fill of the spec; does not affect sizes

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells * cell_bits; }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return num_cells / block_cells; }

  friend bool operator==(const Geometry&, const Geometry&) noexcept = default;
};

}  // namespace bloometry
