#pragma once

#include <cstdint>

#include "core/theory/increment_set.hpp"

/// Rates of counting filters with variable increments beyond D_L: n keys, m cells, k hashes, model
/// W, saturation left out. Exact: the occupancy chain over the pass tables of increment_set.hpp.
/// All throw std::domain_error for m or k = 0 and as those tables do.
namespace bloometry::theory {

/// Sums of increments from any set D, queried by reachable sums.
double increment_set_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set);

/// B_h-CBF with ell increments, exact.
double bh_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h);

/// [1 - sum_{j=0..h} (1-1/ell)^j Bin(nk,1/m)(j)]^k: the cells taken as independent (theory 5.2).
/// 1.4e-4 relative below exact at (1000, 5000, 4, ell 4, h 2).
double bh_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h);

}  // namespace bloometry::theory
