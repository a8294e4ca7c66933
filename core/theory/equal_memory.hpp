#pragma once

#include "core/theory/pass_table.hpp"

/// The best filter for a given memory, by the Poisson form of independent_rates.hpp (theory 5.5).
/// The functions use only the first row of the table, which describes one probe. The number k of
/// hashes is in 1..64. The results are within 2 % of the exact rates for m >= 64, and within 0.1 %
/// for m >= 1000.
namespace bloometry::theory {

struct BestRate {
  unsigned num_hashes = 0;
  double rate = 0.0;
};

/// Returns the k with the least rate at the given number of cells per key. If two values of k have
/// the same rate, the function returns the smaller k.
/// @throws std::domain_error if cells_per_key is not positive.
BestRate best_poisson_rate(const PassTable& table, double cells_per_key);

/// Returns the number of cells per key at which the rate with the best k is p.
/// @throws std::domain_error unless 0 < p < 1, or if no k in 1..64 reaches p.
double cells_per_key_for_rate(const PassTable& table, double p);

/// The optimum with a real-valued k. The least rate is base^(cells per key), at `load` probes per
/// cell.
struct OptimalLoad {
  double load = 0.0;
  double base = 0.0;
};

/// Returns the load x that minimises x ln g(x), where g = P(a probe passes). For the table any_hit,
/// the load is ln 2 and the base is 0.6185. The function scans a grid of ratio 1.06, then finds the
/// root of ln g + x g'/g to the last digit.
OptimalLoad optimal_load(const PassTable& table);

}  // namespace bloometry::theory
