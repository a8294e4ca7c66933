#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/verdict/summary.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/csv_lines.hpp"

/// Checks that readers of a table or of a chart can tell its rows apart.
namespace bloometry::test {

/// Returns the cells of the row in summary.csv that precede num_trials. They identify the point.
inline std::string summary_key(const SummaryRow& row) {
  std::istringstream table(summary_csv(std::vector<SummaryRow>{row}));
  std::string header;
  std::string line;
  std::getline(table, header);
  std::getline(table, line);
  const std::vector<std::string> names = csv_cells(header);
  std::vector<std::string> cells = csv_cells(line);
  const auto end = std::find(names.begin(), names.end(), "num_trials");
  cells.resize(static_cast<std::size_t>(end - names.begin()));
  return nlohmann::json(cells).dump();
}

inline void check_distinct_rows(const std::vector<SummaryRow>& rows) {
  std::set<std::string> keys;
  for (const SummaryRow& row : rows) {
    const std::string key = summary_key(row);
    INFO("summary.csv has two rows of " << key);
    CHECK(keys.insert(key).second);
  }
}

/// Checks that each mark of a series has its own x. Otherwise the line through the marks is a
/// zigzag. In rate_by_point, each mark has its own name.
inline void check_distinct_marks(const chart::Chart& chart, const std::vector<SummaryRow>& rows) {
  using nlohmann::json;
  std::map<std::tuple<json, json, json>, std::size_t> rows_of_place;
  for (const chart::PlottedPoint& point : chart.points) {
    const bool has_names = chart.name.starts_with("rate_by_point");
    if (!point.row || !(point.fields.contains("x") || has_names)) continue;
    const auto field = [&](const char* name) { return point.fields.value(name, json()); };
    const auto [found, is_new] =
        rows_of_place.try_emplace({field("facet"), field("series"), field("x")}, *point.row);
    INFO(chart.name << ": two marks at x = " << field("x") << " of series " << field("series")
                    << " in panel " << field("facet") << ":\n"
                    << summary_key(rows[found->second]) << "\n"
                    << summary_key(rows[*point.row]));
    CHECK(is_new);
  }
}

}  // namespace bloometry::test
