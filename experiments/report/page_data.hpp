#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/report/page.hpp"

namespace bloometry::report {

/// Returns records column by column, as page.js reads them: {"length", "columns": {name: column}}.
/// A column is {"all": value}, {"texts": [...], "at": [place in texts]} or {"values": [...]}. If
/// another column has the same values, it is {"as": its name}. A value is null if a record does not
/// have the field. Numbers that are not whole keep 6 significant digits: 20,000 points occupy 2.9
/// MB.
[[nodiscard]] nlohmann::json columns_of(std::span<const nlohmann::json> records);

/// Returns the data of the page's script: each row that charts show, once. Per chart it contains
/// the spec, the row index of each point and the chart's own fields.
[[nodiscard]] nlohmann::json page_data(const PageInput& input);

}  // namespace bloometry::report
