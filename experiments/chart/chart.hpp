#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bloometry::chart {

/// One point mark: the index of its table row, if the mark shows a row, and the chart's own fields.
struct PlottedPoint {
  std::optional<std::size_t> row{};
  nlohmann::json fields{};
};

/// A chart in Vega-Lite. The points of a chart are stored beside its spec, so that a page with many
/// charts contains each table row once.
struct Chart {
  std::string name;       ///< name of the chart's file, without its ending
  std::string title;      ///< title that describes the content
  std::string caption{};  ///< text that explains the chart to a first-time reader
  nlohmann::json spec{};  ///< Vega-Lite spec, complete except for data/values
  std::vector<PlottedPoint> points{};
};

/// A function that returns the row of the given index as a JSON object.
using RowRecord = std::function<nlohmann::json(std::size_t row)>;

/// Returns the spec of the chart with its data inlined, as in charts/<name>.vl.json. Each point
/// gets an `id`. The argument `record` may be empty for a chart whose points do not show rows.
[[nodiscard]] nlohmann::json with_data(const Chart& chart, const RowRecord& record = {});

/// Returns the JSON value as text. Bytes that are not UTF-8 (in a key file's name) are replaced
/// without an error.
[[nodiscard]] std::string to_text(const nlohmann::json& json, int indent = -1);

}  // namespace bloometry::chart
