#pragma once

#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Solves a request for a filter that forgets. The number of keys is the number of insert calls of
/// the window, and the rate is that of the worst phase (PhaseRates). The answer is the best of all
/// k and, unless given, of all numbers of generations up to 64. The search therefore computes the
/// rate of every such filter at least once. The size of an answer for n and p keeps p for n.
/// @throws Refusal, ConfigError or std::domain_error if the request cannot be met.
[[nodiscard]] SizeAnswer solve_forgetting(const VariantInfo& variant, const SizeRequest& request);

}  // namespace bloometry
