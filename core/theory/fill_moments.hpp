#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// Mean and variance of X, the number of set bits (non-zero cells) after n plain inserts.
struct FillMoments {
  double mean = 0.0;
  double variance = 0.0;
};

/// Exact moments for n keys, m bits, k hashes (theory reference, section 1.5), in a form that keeps
/// full relative precision at any load: with a = -ln P(a bit stays 0), the variance is m q^2
/// (e^a - 1 - c) and the difference is taken term by term, so m = 1e12 with ten keys is as good as
/// half fill. Accuracy against 400-digit values: mean 3e-16, variance 1e-14 relative (3e-14 with k
/// near m).
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
FillMoments fill_moments(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

/// E[n k - X]: probes that hit a bit already set; without cancellation when collisions are rare.
/// 0 for fewer than two probes.
double expected_collisions(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

/// E[m - X]: bits still 0, without cancellation when they are rare.
double expected_zeros(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
