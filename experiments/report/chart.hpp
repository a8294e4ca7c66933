#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/verdict/summary.hpp"

namespace bloometry::report {

/// One point mark: the summary row it shows, if it shows one, and what the chart adds to it.
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

/// A row by the names of its columns; absent values are left out.
[[nodiscard]] nlohmann::json row_record(const SummaryRow& row);

/// The chart with its data inlined: what charts/<name>.vl.json holds. Each point has an `id`.
[[nodiscard]] nlohmann::json with_data(const Chart& chart, std::span<const SummaryRow> rows);

/// JSON text. Bytes that are not UTF-8 (a key file's name) are replaced, never thrown.
[[nodiscard]] std::string to_text(const nlohmann::json& json, int indent = -1);

}  // namespace bloometry::report
