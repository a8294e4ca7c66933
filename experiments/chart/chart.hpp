#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bloometry::chart {

/// One point mark: the number of the row it shows, if it shows one, and what the chart adds to it.
struct PlottedPoint {
  std::optional<std::size_t> row{};
  nlohmann::json fields{};
};

/// A chart in Vega-Lite, its points kept apart so that a page with many charts holds each row once.
struct Chart {
  std::string name;       ///< of its file
  std::string title;      ///< what is seen
  std::string caption{};  ///< how to read it, for someone who has never seen one
  nlohmann::json spec{};  ///< complete but for data/values
  std::vector<PlottedPoint> points{};
};

/// Returns the row of that number as a JSON object.
using RowRecord = std::function<nlohmann::json(std::size_t row)>;

/// Returns the chart with its data inlined: what charts/<name>.vl.json holds. Each point has an
/// `id`. A chart whose points show no rows needs no `record`.
[[nodiscard]] nlohmann::json with_data(const Chart& chart, const RowRecord& record = {});

/// JSON text. Bytes that are not UTF-8 (a key file's name) are replaced, never thrown.
[[nodiscard]] std::string to_text(const nlohmann::json& json, int indent = -1);

}  // namespace bloometry::chart
