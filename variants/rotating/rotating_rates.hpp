#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "variants/rotating/rotating_params.hpp"

/// Numbers of keys in the generations of a rotating filter, and the rate of a filter of independent
/// parts (theory 7b).
namespace bloometry {

/// Returns the numbers of inserts in the generations after num_keys insert calls without ticks,
/// newest first. A generation closes before insert g + 1, so the newest is never empty after an
/// insert. If only ticks rotate, all keys are in the newest.
[[nodiscard]] std::vector<std::uint64_t> inserts_by_age(const RotatingSettings& settings,
                                                        std::uint64_t num_keys);

/// Numbers of equal parts of a filter. The rate of each part is the same.
struct EqualParts {
  double rate = 0;
  double num_parts = 1;
};

/// Returns 1 - prod(1 - f_i), the probability that at least one part contains an absent key, for
/// parts with independent probes. The result has full relative precision for small rates.
[[nodiscard]] double rate_of_any(const std::vector<EqualParts>& parts) noexcept;

/// Returns the mean of rate(t) over t = 1, ..., last, for last >= 1. Up to last = 1024, the
/// function adds all terms. Above, it adds the first terms of a sum whose other terms it
/// extrapolates from the trapezoid sums of steps h, 2h, 4h, ... to step 1. A trapezoid sum is a
/// polynomial in the square of its step (Euler-Maclaurin), so the function interpolates this
/// polynomial (Romberg, but at step 1 instead of 0). For rates of filters with up to 20 hashes, the
/// relative error is below 1e-12, and with 64 hashes below 1e-8.
[[nodiscard]] double mean_over_phase(std::uint64_t last,
                                     const std::function<double(std::uint64_t)>& rate);

}  // namespace bloometry
