#pragma once

#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Returns the rate of a variable-increment filter with n keys, m counters, k hashes and increment
/// base L of D_L. This is the Poisson form of theory 5.3, with x = nk/m:
/// [1 - e^-x (1 + (L-1) x / L + (L^2-1) x^2 / (12 L^2))]^k. It is not exact, but accurate enough
/// for sizing.
[[nodiscard]] double variable_increment_sizing_rate(double num_keys, double num_counters,
                                                    unsigned num_hashes,
                                                    unsigned increment_base) noexcept;

/// Returns the k in [1, 64] with the least rate, near 1.1 m/n.
[[nodiscard]] unsigned best_variable_increment_num_hashes(double num_keys, double num_counters,
                                                          unsigned increment_base) noexcept;

/// Returns the number of counters for a rate of at most p with k hashes: where the Poisson form
/// reaches p, plus k to cover its gap to the exact rate (below 0.1 k counters at the optimal load).
[[nodiscard]] double variable_increment_counters_for_rate(double num_keys, double rate,
                                                          unsigned num_hashes,
                                                          unsigned increment_base) noexcept;

/// Returns the geometry of the filter: the size as requested, or the least that keeps the target
/// rate at capacity; k as requested, or the best.
/// @throws ConfigError if the spec leaves m or k open, contradicts itself or is out of range.
[[nodiscard]] Geometry variable_increment_geometry(const FilterSpec& spec, unsigned counter_bits,
                                                   unsigned increment_base);

}  // namespace bloometry
