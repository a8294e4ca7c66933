#pragma once

#include <cstdint>

#include "core/theory/pass_table.hpp"

/// Rates of the variable-increment counting filter with D_L = {L, ..., 2L-1} (Rottenstreich,
/// Kanizo, Keslassy 2012): n keys, m counters, k hashes. These formulas exclude saturation. All
/// functions throw std::domain_error for m, k or L = 0.
namespace bloometry::theory {

/// Returns the table pass(b, t) = 0, L^-b, mu_b, 1, ... with mu_b = E[(min(a+a'+1, L)/L)^b], a, a'
/// uniform on 0..L-1 (theory 5.4), for the occupancy chain.
PassTable variable_increment_pass_table(unsigned k, unsigned L);

/// Returns the exact expected rate: the occupancy chain over that table.
double variable_increment_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L);

/// Returns the rate by the paper's theorem, which treats counters as independent with Bin(nk, 1/m)
/// increments (theory 5.3). The pass probability is summed as Bin(1)/L + Bin(2) mu_1 + P(Bin >= 3),
/// which keeps full precision at small loads.
double variable_increment_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L);

/// Returns the rate with counters treated as independent with Poisson(nk/m) increments.
double variable_increment_poisson_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L);

}  // namespace bloometry::theory
