#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/report/page.hpp"

namespace bloometry::report {

/// Records column by column, as page.js reads them: {"length", "columns": {name: column}}. A column
/// is {"all": value}, {"texts": [...], "at": [place in texts]}, {"values": [...]} or, where another
/// column has the same values, {"as": its name}; null where a record has no such field. Numbers
/// that are not whole keep 6 significant digits: 20,000 points take 2.9 MB.
[[nodiscard]] nlohmann::json columns_of(std::span<const nlohmann::json> records);

/// What the page's script draws: the rows that charts show, once, and per chart its spec, the place
/// of each point's row among them and what the chart adds to it.
[[nodiscard]] nlohmann::json page_data(const PageInput& input);

}  // namespace bloometry::report
