#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/layer_filter.hpp"
#include "tests/support/catch.hpp"

/// Finds the marks that Vega draws for a chart, by the filters and the axes of its layers.
namespace bloometry::test {

/// Returns whether the layer draws the record, by the filters of the layer.
inline bool passes(const nlohmann::json& layer, const nlohmann::json& record) {
  const nlohmann::json steps = layer.value("transform", nlohmann::json::array());
  return std::all_of(steps.begin(), steps.end(), [&](const nlohmann::json& step) {
    return !step.contains("filter") || report::accepts(step["filter"].get<std::string>(), record);
  });
}

/// Returns whether the record's position is inside the axis of the channel. A scale that clamps
/// puts every mark inside.
inline bool is_inside(const nlohmann::json& channel, const nlohmann::json& record) {
  if (channel.value("type", "") != "quantitative" || !channel.contains("scale")) return true;
  const nlohmann::json& scale = channel["scale"];
  if (!scale.contains("domain") || scale.value("clamp", false)) return true;
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
