#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// Returns the law of the number of probes of an absent key that fall on non-zero cells. X of m
/// cells are non-zero, and probes are ideal. Element s is the probability that s of k probes fall
/// on non-zero cells. If probes pass if and only if their cell is not zero, the last element is the
/// rate given the state (theory 1.3, 9.3).
///
/// The law is Bin(k, X/m) in model W and hypergeometric in model D. The function computes the law
/// probe by probe. All terms are >= 0, so each element is accurate to about k roundings, even at
/// 1e-300.
/// @throws std::domain_error in model P, if k or m is 0, if X > m, or if k > m in model D.
std::vector<double> probe_count_law(ProbeModel model, std::uint64_t num_ones,
                                    std::uint64_t num_cells, unsigned num_hashes);

/// Returns the Poisson-binomial law of the number of probes on set bits in model P. Probe i falls
/// on a set bit with probability fills[i].
/// @throws std::domain_error if `fills` is empty, or if a fill is outside [0, 1].
std::vector<double> probe_count_law(const std::vector<double>& fills);

}  // namespace bloometry::theory
