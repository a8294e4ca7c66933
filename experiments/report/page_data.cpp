#include "experiments/report/page_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "experiments/report/row_marks.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using chart::PlottedPoint;
using nlohmann::json;

constexpr int kDigits = 6;

json shortened(const json& value) {
  if (!value.is_number_float()) return value;
  const auto number = value.get<double>();
  if (number == std::floor(number) && std::abs(number) < 0x1p53) {
    return static_cast<std::int64_t>(number);
  }
  return to_digits(number, kDigits);
}

json texts_column(const std::vector<json>& values) {
  std::map<std::string, std::size_t> places;
  json texts = json::array();
  json at = json::array();
  for (const json& value : values) {
    if (value.is_null()) {
      at.push_back(nullptr);
      continue;
    }
    const auto [place, is_new] = places.emplace(value.get<std::string>(), texts.size());
    if (is_new) texts.push_back(value);
    at.push_back(place->second);
  }
  return {{"texts", std::move(texts)}, {"at", std::move(at)}};
}

json column(const std::vector<json>& values) {
  const bool is_constant = std::all_of(values.begin(), values.end(),
                                       [&](const json& value) { return value == values.front(); });
  if (is_constant) return {{"all", values.front()}};
  const bool is_text = std::all_of(values.begin(), values.end(), [](const json& value) {
    return value.is_null() || value.is_string();
  });
  return is_text ? texts_column(values) : json{{"values", values}};
}

/// Returns an index for each row that a chart shows. The index counts only rows in charts.
std::map<std::size_t, std::size_t> shown_rows(const ChartSet& charts) {
  std::map<std::size_t, std::size_t> places;
  for (const Chart& chart : charts.charts) {
    for (const PlottedPoint& point : chart.points) {
      if (point.row) places.emplace(*point.row, 0);
    }
  }
  std::size_t next = 0;
  for (auto& [row, place] : places) place = next++;
  return places;
}

}  // namespace

json columns_of(std::span<const json> records) {
  std::set<std::string> names;
  for (const json& record : records) {
    for (const auto& [name, value] : record.items()) names.insert(name);
  }
  json columns = json::object();
  std::map<std::vector<json>, std::string> known;
  for (const std::string& name : names) {
    std::vector<json> values(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto found = records[i].find(name);
      if (found != records[i].end()) values[i] = shortened(*found);
    }
    json made = column(values);
    const auto [same, is_new] = known.emplace(std::move(values), name);
    columns[name] = is_new ? std::move(made) : json{{"as", same->second}};
  }
  return {{"length", records.size()}, {"columns", std::move(columns)}};
}

json page_data(const PageInput& input) {
  const std::map<std::size_t, std::size_t> places = shown_rows(input.charts);
  std::vector<json> rows;
  rows.reserve(places.size());
  for (const auto& [row, place] : places) rows.push_back(row_record(input.rows[row]));
  json charts = json::array();
  for (const Chart& chart : input.charts.charts) {
    json row_of_point = json::array();
    std::vector<json> fields;
    fields.reserve(chart.points.size());
    for (const PlottedPoint& point : chart.points) {
      row_of_point.push_back(point.row ? json(places.at(*point.row)) : json(nullptr));
      fields.push_back(point.fields);
    }
    charts.push_back({{"name", chart.name},
                      {"spec", chart.spec},
                      {"rows", std::move(row_of_point)},
                      {"fields", columns_of(fields)}});
  }
  return {{"rows", columns_of(rows)}, {"charts", std::move(charts)}};
}

}  // namespace bloometry::report
