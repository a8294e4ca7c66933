#include "experiments/chart/chart.hpp"

namespace bloometry::chart {

nlohmann::json with_data(const Chart& chart, const RowRecord& record) {
  nlohmann::json values = nlohmann::json::array();
  for (const PlottedPoint& point : chart.points) {
    nlohmann::json value = point.row ? record(*point.row) : nlohmann::json::object();
    value.update(point.fields);
    value["id"] = values.size();
    values.push_back(std::move(value));
  }
  nlohmann::json spec = chart.spec;
  spec["data"]["values"] = std::move(values);
  return spec;
}

std::string to_text(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace bloometry::chart
