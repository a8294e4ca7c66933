#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// Reads one grid and checks names, axes, parameters and churn against the registry.
/// planned_filters.hpp checks whether its numbers make a valid filter. Returns nullopt if there was
/// a problem.
[[nodiscard]] std::optional<Grid> read_grid(const ConfigField& field);

/// Reads a text, or a list of texts. Each text must be in `allowed`. Duplicates are dropped and the
/// order is kept.
[[nodiscard]] std::vector<std::string> read_names(const ConfigField& field,
                                                  const std::vector<std::string>& allowed);

}  // namespace bloometry
