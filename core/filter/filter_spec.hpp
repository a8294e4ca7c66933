#pragma once

#include <cstdint>
#include <optional>

#include "core/filter/params.hpp"

namespace bloometry {

/// Specification of a filter. Every variant computes its geometry from the spec, and rejects a spec
/// that the variant cannot satisfy.
///
/// The spec gives the size in one of five ways. The member num_bits is the memory in bits. The
/// member num_counters is the number of cells of a counting filter, and num_blocks is the number of
/// blocks. The member bits_per_key is the memory per key and requires `capacity`. The member
/// target_false_positive_rate requires `capacity` unless the variant grows. A filter of blocks
/// rounds its number of cells up to whole blocks. A spec does not have a seed, because the seed
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
  Params params{};   ///< further parameters of the variant, by name
  /// Limit of the share of set cells, in (0, 1). The function state() reports whether the filter
  /// exceeds the limit (FilterState::exceeds_max_fill). Inserts do not check max_fill. Filters that
  /// differ only in max_fill can be merged; each filter keeps its own value.
  std::optional<double> max_fill{};
};

/// Sizes, such as m and k, that a variant computes from a spec.
struct Geometry {
  std::uint64_t num_cells = 0;       ///< m of the formula, the number of bits or counters
  unsigned cell_bits = 1;            ///< bits of memory per cell
  unsigned num_hashes = 0;           ///< k of the formula; 0 if k is chosen stage by stage
  unsigned block_cells = 1;          ///< cells per block; 1 for a filter without blocks
  std::optional<double> max_fill{};  ///< max_fill of the spec; does not affect sizes

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells * cell_bits; }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return num_cells / block_cells; }

  friend bool operator==(const Geometry&, const Geometry&) noexcept = default;
};

}  // namespace bloometry
