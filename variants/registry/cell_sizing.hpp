#pragma once

#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Solves a request, as solve_size does, for a variant whose filters do not grow.
/// @throws Refusal, ConfigError or std::domain_error with the reason why the variant cannot meet
/// the request.
[[nodiscard]] SizeAnswer solve_cells(const VariantInfo& variant, const SizeRequest& request);

}  // namespace bloometry
