#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "experiments/report/cell_chance.hpp"

namespace bloometry::report {

/// Returns whether the cells of the maps have room for numbers.
[[nodiscard]] bool has_room_for_numbers(const Rows& rows);

/// Returns the limit of the colour scale. The limit is the largest error of a tested cell that
/// chance does not explain, rounded up to 1, 2 or 5 times a power of ten. Without such a cell, it
/// is that of all cells.
[[nodiscard]] double colour_limit(const Rows& rows, const Chance& chance);

/// Returns the layers and axes of a view with one map. The data has the fields coloured, enough,
/// relative_error and number.
[[nodiscard]] nlohmann::json heatmap_view(const Rows& rows, std::size_t num_views,
                                          const Chance& chance);

}  // namespace bloometry::report
