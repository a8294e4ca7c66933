#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/any_filter/variant_info.hpp"

/// The features that a request for a filter may require of a variant: erase, grow, merge, tick and
/// cache-line. The need `cache-line` means that all cells of a key are in one cache line, as in
/// filters with blocks. The other needs are operations.
namespace bloometry {

/// Throws ConfigError naming a need that is unknown.
void require_known_needs(std::span<const std::string> needs);

/// Returns whether the variant meets the need.
[[nodiscard]] bool meets(const VariantInfo& variant, std::string_view need);

/// Returns a phrase that lists the needs that the variant does not meet, such as "cannot erase".
/// The phrase is empty if the variant meets all needs. A table that doubles does not meet the need
/// to grow, because its rate is for a largest number of keys, or rises. The phrase states this.
[[nodiscard]] std::string lacking(const VariantInfo& variant, std::span<const std::string> needs);

}  // namespace bloometry
