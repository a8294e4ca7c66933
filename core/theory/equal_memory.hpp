#pragma once

#include "core/theory/pass_table.hpp"

/// The best filter for a given memory: the Poisson form of independent_rates.hpp, minimised and
/// inverted (theory 5.5). Only the first row of the table is used, which describes one probe. k is
/// in 1..64. The results are within 2 % of the exact rates for m >= 64, and within 0.1 % for m >=
/// 1000.
namespace bloometry::theory {

struct BestRate {
  unsigned num_hashes = 0;
  double rate = 0.0;
};

/// Returns the k with the least rate at that many cells per key. If two k are equally good, returns
/// the smaller one.
/// @throws std::domain_error if cells_per_key is not positive.
BestRate best_poisson_rate(const PassTable& table, double cells_per_key);

/// Returns the cells per key at which the best k reaches rate p.
/// @throws std::domain_error unless 0 < p < 1, or if no k in 1..64 reaches p.
double cells_per_key_for_rate(const PassTable& table, double p);

/// The optimum with a real-valued k. The least rate is base^(cells per key), reached at `load`
/// probes per cell.
struct OptimalLoad {
  double load = 0.0;
  double base = 0.0;
};

/// Returns the load x that minimises x ln g(x), where g = P(a probe passes). For any_hit these are
/// ln 2 and 0.6185. Scans a grid of ratio 1.06, then finds the root of ln g + x g'/g to the last
/// digit.
OptimalLoad optimal_load(const PassTable& table);

}  // namespace bloometry::theory
