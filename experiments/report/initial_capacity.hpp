#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

/// Returns a sentence for the caption with the initial capacities of the rows' filters that grow,
/// because memory and rate of such a filter depend on its initial capacity. Returns an empty string
/// if none of the filters grows.
[[nodiscard]] std::string about_initial_capacity(const Rows& rows);

/// Returns the sentence for the given initial capacities.
/// @param all_grow whether all filters of the chart grow
[[nodiscard]] std::string about_initial_capacities(const std::set<std::uint64_t>& capacities,
                                                   bool all_grow);

}  // namespace bloometry::report
