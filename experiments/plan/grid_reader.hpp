#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// Reads one grid and checks names, axes, parameters and churn against the registry. The function
/// does not check whether the numbers make a valid filter (see planned_filters.hpp). Returns
/// nullopt if the grid has a problem.
[[nodiscard]] std::optional<Grid> read_grid(const ConfigField& field);

/// Reads a name or a list of names. Each name must be in `allowed`. The result keeps the order of
/// the list and omits duplicates.
[[nodiscard]] std::vector<std::string> read_names(const ConfigField& field,
                                                  const std::vector<std::string>& allowed);

}  // namespace bloometry
