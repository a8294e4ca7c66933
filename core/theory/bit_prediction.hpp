#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "core/theory/prediction.hpp"

namespace bloometry::theory {

/// Everything known of a filter whose probe passes iff its cell was hit, at n keys, m cells and k
/// hashes: standard, partitioned, counting. Approximations by model: classic always; semi in W and
/// D; goel_gupta_upper and second_order, which are about W, in W.
/// @throws std::domain_error as exact_rate.
[[nodiscard]] Prediction bit_prediction(ProbeModel model, std::uint64_t n, std::uint64_t m,
                                        unsigned k);

}  // namespace bloometry::theory
