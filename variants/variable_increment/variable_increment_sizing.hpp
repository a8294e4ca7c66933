#pragma once

#include "core/contract/filter_spec.hpp"

namespace bloometry {

/// Returns an approximation of the rate of a variable-increment filter with n keys, m counters, k
/// hashes and increment base L of D_L. The result is the Poisson form of theory 5.3: `[1 - e^-x (1
/// + (L-1) x / L + (L^2-1) x^2 / (12 L^2))]^k` with x = nk/m. The Poisson form is accurate enough
/// for sizing.
[[nodiscard]] double variable_increment_sizing_rate(double num_keys, double num_counters,
                                                    unsigned num_hashes,
                                                    unsigned increment_base) noexcept;

/// Returns the k in [1, 64] with the lowest rate. The best k is near 1.1 m/n.
[[nodiscard]] unsigned best_variable_increment_num_hashes(double num_keys, double num_counters,
                                                          unsigned increment_base) noexcept;

/// Returns the number of counters for a rate of at most p with k hashes. The result is k plus the
/// number at which the Poisson form equals p. The k additional counters compensate for the error of
/// the Poisson form. At the optimal load, the error corresponds to less than 0.1 k counters.
[[nodiscard]] double variable_increment_counters_for_rate(double num_keys, double rate,
                                                          unsigned num_hashes,
                                                          unsigned increment_base) noexcept;

/// Returns the geometry of a variable-increment filter. The size is the requested size, or the size
/// for which the rate at capacity does not exceed the target. The number of hashes is the requested
/// k or the best k.
/// @throws ConfigError if the spec does not determine m and k, contradicts itself or is out of
/// range.
[[nodiscard]] Geometry variable_increment_geometry(const FilterSpec& spec, unsigned counter_bits,
                                                   unsigned increment_base);

}  // namespace bloometry
