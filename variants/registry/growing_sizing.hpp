#pragma once

#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Solves a request, as solve_size does, for a variant whose filters grow. The first stage is sized
/// for n keys, and the rate of the answer is the guaranteed bound.
/// @throws Refusal or ConfigError with the reason why the variant cannot meet the request.
[[nodiscard]] SizeAnswer solve_growing(const VariantInfo& variant, const SizeRequest& request);

}  // namespace bloometry
