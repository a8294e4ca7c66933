#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/contract/filter_spec.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// The sizes that filters choose for themselves. The classic relations between n keys, m cells, k
/// hashes and the rate p size most filters. A variant with another rate has a SizingRule in its own
/// folder, which its function `geometry` passes to sized_geometry(). Requests over all variants,
/// with their exact rates, are solved by variants/registry/sizing.hpp.

/// Returns (1 - e^(-kn/m))^k. Source: Bloom (1970). Theory 1.4 gives the relative error of the
/// classic rate to first order in 1/m.
[[nodiscard]] double classic_rate(double num_keys, double num_cells, unsigned num_hashes) noexcept;

/// Returns whichever of floor and ceil of (m/n) ln 2 has the smaller classic_rate, clamped to [1,
/// 64].
[[nodiscard]] unsigned best_num_hashes(double num_keys, double num_cells) noexcept;

/// Returns the number of cells for a rate of at most p with k hashes in any probe model. The number
/// is ceil(-nk / ln(1 - p^(1/k))) + k. The k added cells compensate for the difference between the
/// classic and the exact rate. The difference requires at most 0.5 k cells (theory 1.4 at the
/// optimum).
[[nodiscard]] double cells_for_rate(double num_keys, double rate, unsigned num_hashes) noexcept;

/// Returns the number of cells that the spec requests by num_bits, num_counters, num_blocks or
/// bits_per_key. The number is rounded up to whole blocks of block_cells. With bits_per_key, the
/// number before rounding up is llround(bits_per_key * capacity / cell_bits). Returns std::nullopt
/// if the spec does not contain any of these four fields.
/// @throws ConfigError if the spec contains more than one size, or a size outside 1 to 2^57 cells.
/// The function also throws for bits_per_key without capacity, and for num_blocks without blocks.
[[nodiscard]] std::optional<std::uint64_t> requested_cells(const FilterSpec& spec,
                                                           unsigned cell_bits,
                                                           unsigned block_cells = 1);

/// Returns requested_cells() of a spec that must contain one of the four fields.
/// @throws ConfigError if the spec contains none of them, or if requested_cells throws.
[[nodiscard]] std::uint64_t required_cells(const FilterSpec& spec, unsigned cell_bits,
                                           unsigned block_cells = 1);

/// Returns the number of cells if it is in [1, 2^57].
/// @param field, value name of the field that determines the number, and its value in messages
/// @throws ConfigError unless the number is in [1, 2^57].
[[nodiscard]] std::uint64_t checked_cells(double num_cells, const std::string& field,
                                          const std::string& value);

/// Returns the capacity of the spec.
/// @param when condition under which the capacity is required, for the message
/// @throws ConfigError if the capacity is absent or 0.
[[nodiscard]] std::uint64_t checked_capacity(const FilterSpec& spec, const std::string& when);

/// Returns the rate if it is in (0, 1).
/// @throws ConfigError unless the rate is in (0, 1).
double checked_rate(double rate);

/// Returns num_hashes if the value is in [min, max].
/// @throws ConfigError unless num_hashes is in [min, max].
unsigned checked_num_hashes(unsigned num_hashes, unsigned min, unsigned max);

/// Returns max_fill of the spec if the value is absent or in (0, 1).
/// @throws ConfigError unless max_fill is in (0, 1) or absent.
[[nodiscard]] std::optional<double> checked_max_fill(const FilterSpec& spec);

/// Formulas for the size and k of a filter whose rate is not the classic rate.
struct SizingRule {
  /// Returns the k with the least rate for n keys in m cells.
  std::function<unsigned(double num_keys, double num_cells)> best_num_hashes;
  /// Returns the number of cells for a rate of at most p with k hashes.
  std::function<double(double num_keys, double rate, unsigned num_hashes)> cells_for_rate;
  unsigned min_num_hashes = 1;
  unsigned max_num_hashes = kMaxNumHashes;
  unsigned block_cells = 1;  ///< every size is a multiple of block_cells
};

/// Returns the geometry of a filter of m equal cells and k probes. The size is the requested size,
/// or the least size with the target rate at capacity. The number k is the requested k, or the best
/// k.
/// @throws ConfigError if the spec does not determine m and k, or if a value is contradictory or
/// out of range.
[[nodiscard]] Geometry sized_geometry(const FilterSpec& spec, unsigned cell_bits,
                                      const SizingRule& rule);

/// Returns sized_geometry() with the classic relations as `rule`.
[[nodiscard]] Geometry bloom_geometry(const FilterSpec& spec, unsigned cell_bits);

}  // namespace bloometry
