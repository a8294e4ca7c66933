#pragma once

#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Solves a request, as solve_size does, for a variant whose size limits the number of keys. The
/// filter itself determines its sizes. A given size is rounded down to whole buckets.
/// @throws Refusal, ConfigError or std::domain_error with the reason why the variant cannot meet
/// the request.
[[nodiscard]] SizeAnswer solve_table(const VariantInfo& variant, const SizeRequest& request);

}  // namespace bloometry
