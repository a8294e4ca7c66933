#pragma once

#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/field_table.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// A grid. The reader checks names, axes, parameters and churn against the registry, but not
/// whether the numbers make a valid filter (see planned_filters.hpp). The written grid must have
/// one variant.
[[nodiscard]] ConfigValue<Grid> grid_value();

/// The field num_hashes of a grid. The field is not allowed for filters that grow, because the
/// variant chooses k per stage. For other filters, it is required unless only one value is valid.
[[nodiscard]] FieldOf<Grid> num_hashes_field();

/// The field params of a grid: parameters by name. A resolved config contains all parameters of the
/// variant.
[[nodiscard]] FieldOf<Grid> params_field();

/// Returns the variants of the grid.
[[nodiscard]] std::vector<const VariantInfo*> variants_of(const Grid& grid);

[[nodiscard]] std::vector<std::string> variant_names();

}  // namespace bloometry
