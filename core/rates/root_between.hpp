#pragma once

#include "core/require_domain.hpp"

namespace bloometry {

/// Returns the root x in [low, high] of an increasing function, accurate to the last digit. The
/// function bisects the interval until its two ends are adjacent doubles.
template <class Rising>
double root_between(double low, double high, Rising rising) {
  for (;;) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) return high;
    (rising(middle) < 0.0 ? low : high) = middle;
  }
}

/// Returns the bits per key at which a decreasing rate reaches p.
/// @throws std::domain_error unless 0 < p < 1, or if the rate still exceeds p with 2^20 bits per
/// key.
template <class Rate>
double bits_per_key_where(double p, Rate rate) {
  require_domain(p > 0.0 && p < 1.0, "p", "in (0, 1)", p);
  double high = 1.0;
  while (rate(high) > p) {
    high *= 2.0;
    require_domain(high <= 0x1p20, "p", "reachable with 2^20 bits per key", p);
  }
  double low = high;
  while (rate(low) <= p) low /= 2.0;
  return root_between(low, high, [&](double c) { return p - rate(c); });
}

}  // namespace bloometry
