#pragma once

#include "variants/registry/registry.hpp"
#include "variants/registry/size_request.hpp"

namespace bloometry {

/// Returns the filter of the variant that a request describes. A size is rounded as the filter
/// rounds it, up to whole blocks, and the default for k is the best k for num_keys keys. The filter
/// chooses the size and the k for a rate itself (solve_size finds the smallest size).
/// @throws ConfigError if the request is incomplete for the variant, contradicts itself or is not
/// valid.
[[nodiscard]] RatedFilter requested_filter(const VariantInfo& variant, const SizeRequest& request);

}  // namespace bloometry
