#pragma once

#include <cstdint>

#include "core/theory/pass_table.hpp"

/// Rates of the variable-increment counting filter with D_L = {L, ..., 2L-1} (Rottenstreich,
/// Kanizo, Keslassy 2012) with n keys, m counters and k hashes. The formulas assume that counters
/// do not saturate. All functions throw std::domain_error if m, k or L is 0.
namespace bloometry::theory {

/// Returns the table pass(b, t) for the occupancy chain (theory 5.4): 0, L^-b, mu_b, 1, ... for t =
/// 0, 1, 2, 3, .... The value mu_b is E[(min(a+a'+1, L)/L)^b] for a and a' uniform on 0..L-1.
PassTable variable_increment_pass_table(unsigned k, unsigned L);

/// Returns the exact expected rate, computed by the occupancy chain over
/// variable_increment_pass_table.
double variable_increment_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L);

/// Returns the rate by the theorem of the paper (theory 5.3), which treats counters as independent
/// with Bin(nk, 1/m) increments. The pass probability is computed as Bin(1)/L + Bin(2) mu_1 + P(Bin
/// >= 3), which has full precision at small loads.
double variable_increment_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L);

/// Returns the rate if counters are treated as independent with Poisson(nk/m) increments.
double variable_increment_poisson_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L);

}  // namespace bloometry::theory
