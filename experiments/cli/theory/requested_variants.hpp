#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/cli/command_line/point_options.hpp"
#include "variants/registry/filter_rates.hpp"

namespace bloometry {

/// Returns the names in a list such as "standard,blocked".
/// @throws ConfigError naming the variant if a name occurs twice
[[nodiscard]] std::vector<std::string> names_in_list(std::string_view text);

/// Returns the filter of each variant in the list `options.variant`, with the same options for all.
/// @throws ConfigError if a name is unknown or occurs twice, or if a variant cannot have the
/// options. A problem that concerns only some of the variants names these variants.
[[nodiscard]] std::vector<RatedFilter> requested_filters(const PointOptions& options);

/// Returns the options of one variant of the list.
[[nodiscard]] PointOptions options_of(PointOptions options, std::string_view variant);

}  // namespace bloometry
