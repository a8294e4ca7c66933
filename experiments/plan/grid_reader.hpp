#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// Reads one grid against the registry: names, axes, parameters, churn. Whether its numbers make a
/// filter is filter_life.hpp's question. Absent if there was anything to complain about.
[[nodiscard]] std::optional<Grid> read_grid(const ConfigField& field);

/// A text, or a list of texts that are all in `allowed`; duplicates are dropped, the order is kept.
[[nodiscard]] std::vector<std::string> read_names(const ConfigField& field,
                                                  const std::vector<std::string>& allowed);

}  // namespace bloometry
