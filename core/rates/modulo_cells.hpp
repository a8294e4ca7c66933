#pragma once

#include <cstdint>

/// Cells that are selected by the remainder of a value modulo m. If the value has few bits, the
/// remainders are not equally likely (theory 1.9).
namespace bloometry {

/// The m cells of an index `value mod m`, for a value that is uniform in [0, R). The first
/// num_heavy cells have the higher probability. For m > R, the probability of the other cells is 0.
struct ModuloCells {
  std::uint64_t num_heavy = 0;
  std::uint64_t num_light = 0;
  double heavy = 0;  ///< probability that a probe has the index of a given heavy cell
  double light = 0;  ///< probability that a probe has the index of a given light cell

  /// Returns the number of cells that a probe can reach.
  [[nodiscard]] std::uint64_t num_reachable() const noexcept {
    return light > 0 ? num_heavy + num_light : num_heavy;
  }

  /// Returns the probability that one probe passes, given the numbers of set cells of both kinds.
  [[nodiscard]] double pass_rate(std::uint64_t heavy_ones,
                                 std::uint64_t light_ones) const noexcept {
    return static_cast<double>(heavy_ones) * heavy + static_cast<double>(light_ones) * light;
  }
};

/// Returns the cells of m for R values. With q = floor(R/m), the first R mod m cells have q + 1
/// values, and the others q. Requires m and R to be at least 1.
[[nodiscard]] ModuloCells modulo_cells(std::uint64_t num_cells, std::uint64_t num_values) noexcept;

/// Returns the expected number of set cells after n keys with k independent probes each.
[[nodiscard]] double expected_ones(const ModuloCells& cells, double num_keys,
                                   unsigned num_hashes) noexcept;

/// Returns the number of keys at which the expected number of set cells is `ones`, or +infinity if
/// all reachable cells are set. The relative error of the search is below 1e-14.
[[nodiscard]] double count_given_ones(const ModuloCells& cells, std::uint64_t ones,
                                      unsigned num_hashes) noexcept;

}  // namespace bloometry
