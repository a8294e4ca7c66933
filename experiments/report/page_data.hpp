#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/report/page.hpp"

namespace bloometry::report {

/// Returns records column by column, in the form that page.js reads: {"length", "columns": {name:
/// column}}. A column is {"all": value}, {"texts": [...], "at": [index in texts]} or {"values":
/// [...]}. A column with the values of another column is {"as": name of the other column}. A value
/// is null if a record does not have the field. Numbers that are not whole have 6 significant
/// digits, so that 20,000 points need 2.9 MB.
[[nodiscard]] nlohmann::json columns_of(std::span<const nlohmann::json> records);

/// Returns the data for the page's script. It contains each row in charts once. For each chart, it
/// contains the spec, and for each point the row's index and the chart's own fields.
[[nodiscard]] nlohmann::json page_data(const PageInput& input);

}  // namespace bloometry::report
