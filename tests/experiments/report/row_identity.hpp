#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/verdict/summary.hpp"
#include "tests/support/catch.hpp"

/// Checks that readers of a table or of a chart can tell its rows apart.
namespace bloometry::test {

/// Returns the cells of the row in summary.csv that precede num_trials. They identify the point.
inline std::string summary_key(const SummaryRow& row) {
  const std::string table = summary_csv(std::vector<SummaryRow>{row});
  const std::size_t header_end = table.find('\n');
  const std::string header = table.substr(0, header_end);
  const auto num_cells =
      std::count(header.begin(),
                 header.begin() + static_cast<std::ptrdiff_t>(header.find(",num_trials,")), ',') +
      1;
  std::size_t end = header_end + 1;
  bool is_quoted = false;
  for (std::ptrdiff_t found = 0; end < table.size(); ++end) {
    if (table[end] == '"') is_quoted = !is_quoted;
    if (table[end] == ',' && !is_quoted && ++found == num_cells) break;
  }
  return table.substr(header_end + 1, end - header_end - 1);
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
