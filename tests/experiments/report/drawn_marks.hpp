#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/chart/chart_style.hpp"
#include "tests/support/catch.hpp"

/// Finds the marks that Vega draws for a chart, by the filters and the axes of its layers.
namespace bloometry::test {

inline bool is_truthy(const nlohmann::json& value) {
  return !(value.is_null() || value == false || value == 0 || value == "");
}

/// Returns the value of one clause of a Vega filter, such as "!datum.coloured" or
/// "datum.num_false_positives > 0". Other forms fail the test.
inline bool clause_holds(std::string clause, const nlohmann::json& record) {
  const bool is_negated = clause.starts_with("!");
  if (is_negated) clause.erase(0, 1);
  const bool is_validity = clause.starts_with("isValid(");
  if (is_validity) clause = clause.substr(8, clause.size() - 9);
  REQUIRE(clause.starts_with("datum."));
  std::istringstream words(clause.substr(6));
  std::string field;
  std::string sign;
  std::string operand;
  words >> field >> sign;
  std::getline(words >> std::ws, operand);
  const nlohmann::json value = record.value(field, nlohmann::json());
  if (sign.empty()) return is_negated != (is_validity ? !value.is_null() : is_truthy(value));
  REQUIRE((sign == ">" || sign == "=="));
  if (operand.starts_with("'")) return value == operand.substr(1, operand.size() - 2);
  const double number = value.is_number() ? value.get<double>() : 0;
  return sign == ">" ? number > std::stod(operand) : number == std::stod(operand);
}

inline bool passes(const nlohmann::json& layer, const nlohmann::json& record) {
  for (const nlohmann::json& step : layer.value("transform", nlohmann::json::array())) {
    if (!step.contains("filter")) continue;
    std::string filter = step["filter"];
    for (std::size_t end = 0; end != std::string::npos; filter.erase(0, end + 4)) {
      end = filter.find(" && ");
      if (!clause_holds(filter.substr(0, end), record)) return false;
      if (end == std::string::npos) break;
    }
  }
  return true;
}

/// Returns whether the record's position is inside the axis of the channel.
inline bool is_inside(const nlohmann::json& channel, const nlohmann::json& record) {
  if (channel.value("type", "") != "quantitative" || !channel.contains("scale")) return true;
  const nlohmann::json& scale = channel["scale"];
  if (!scale.contains("domain")) return true;
  constexpr double kRounding = 1e-9;
  const double share = chart::share_of(scale, record.at(channel["field"]).get<double>());
  return share >= -kRounding && share <= 1 + kRounding;
}

/// Returns the indices of the points that have a visible mark. A mark outside its axes fails the
/// test.
inline std::set<std::size_t> marked_points(const chart::Chart& chart,
                                           const chart::RowRecord& record_of) {
  const nlohmann::json spec = chart::with_data(chart, record_of);
  const nlohmann::json& view = spec.contains("spec") ? spec["spec"] : spec;
  const nlohmann::json shared = view.value("encoding", nlohmann::json::object());
  std::set<std::size_t> marked;
  for (const nlohmann::json& layer : view["layer"]) {
    if (!layer["name"].get_ref<const std::string&>().starts_with("measured")) continue;
    const nlohmann::json& own = layer["encoding"];
    for (const nlohmann::json& record : spec["data"]["values"]) {
      if (!passes(layer, record)) continue;
      for (const char* axis : {"x", "y"}) {
        const nlohmann::json& channel = own.contains(axis) ? own[axis] : shared.at(axis);
        if (!is_inside(channel, record)) {
          FAIL_CHECK(layer["name"] << " outside " << axis << ": " << record);
        }
      }
      marked.insert(record["id"].get<std::size_t>());
    }
  }
  return marked;
}

}  // namespace bloometry::test
