#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bloometry::chart {

/// One point mark: the index of its row, if it shows a row, and the chart's own fields.
struct PlottedPoint {
  std::optional<std::size_t> row{};
  nlohmann::json fields{};
};

/// A chart in Vega-Lite. Its points are separate, so that a page with many charts contains each row
/// once.
struct Chart {
  std::string name;       ///< of its file
  std::string title;      ///< describes the content
  std::string caption{};  ///< explains the chart to a first-time reader
  nlohmann::json spec{};  ///< complete except for data/values
  std::vector<PlottedPoint> points{};
};

/// Returns the row of that index as a JSON object.
using RowRecord = std::function<nlohmann::json(std::size_t row)>;

/// Returns the chart with its data inlined, as in charts/<name>.vl.json. Each point has an `id`. A
/// chart whose points do not show rows does not need `record`.
[[nodiscard]] nlohmann::json with_data(const Chart& chart, const RowRecord& record = {});

/// Returns JSON text. Bytes that are not UTF-8 (in a key file's name) are replaced without an
/// error.
[[nodiscard]] std::string to_text(const nlohmann::json& json, int indent = -1);

}  // namespace bloometry::chart
