#pragma once

#include "core/theory/pass_table.hpp"

/// Which filter is best for the memory: the Poisson form of independent_rates.hpp, minimised and
/// inverted (theory 5.5). The table describes one probe (only its first row counts), k in 1..64.
/// Within 2 % of the exact rates for m >= 64, 0.1 % for m >= 1000.
namespace bloometry::theory {

struct BestRate {
  unsigned num_hashes = 0;
  double rate = 0.0;
};

/// The k with the least rate at that many cells per key, the smaller of equals.
/// @throws std::domain_error if cells_per_key is not positive.
BestRate best_poisson_rate(const PassTable& table, double cells_per_key);

/// Cells per key at which the best k reaches rate p.
/// @throws std::domain_error unless 0 < p < 1, or if no k reaches it.
double cells_per_key_for_rate(const PassTable& table, double p);

/// Least rate with a real-valued k: base^(cells per key), at this load (throws per cell).
struct OptimalLoad {
  double load = 0.0;
  double base = 0.0;
};

/// The load x that minimises x ln g(x), g = P(a probe passes). Any hit: ln 2 and 0.6185.
/// Scanned on a grid of ratio 1.06, then the root of ln g + x g'/g to the last digit.
OptimalLoad optimal_load(const PassTable& table);

}  // namespace bloometry::theory
