#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "experiments/chart/chart.hpp"
#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

// Functions that turn the rows of a summary into chart data.

/// Returns a row as a JSON object with the names of the columns. The object does not contain absent
/// values.
[[nodiscard]] nlohmann::json row_record(const SummaryRow& row);

/// Returns a function that returns the row_record() of a row by index. The rows must outlive the
/// function.
[[nodiscard]] chart::RowRecord row_records(std::span<const SummaryRow> rows);

/// Returns the position channel of a point's `x`. The channel is logarithmic if the values have a
/// large range. The labels of k are whole numbers.
[[nodiscard]] nlohmann::json x_channel(const Axis& axis, const Rows& rows);

/// Returns whether charts against the axis have a logarithmic scale. The values above 0 determine
/// this: at least four values in a geometric progression, or a largest value that is
/// - at least 30 times the smallest one, if the values spread over the powers of ten, or
/// - at least 100 times the smallest one, unless at least three values have equal steps.
/// Scales of k are always linear, and scales of rates logarithmic.
[[nodiscard]] bool has_log_scale(const Axis& axis, const Rows& rows);

/// Returns the Vega-Lite transforms that make the texts of the tooltip. The transforms omit the
/// text of an absent number.
[[nodiscard]] nlohmann::json row_texts();
[[nodiscard]] nlohmann::json row_tooltip();

/// Returns the band of a row as fields of its point, or an empty object without a band.
[[nodiscard]] nlohmann::json band_fields(const SummaryRow& row);

/// Returns the transforms of a layer that draws the interval of each row with false positives. On
/// the logarithmic scale, an interval that reaches 0 is drawn down to the edge.
[[nodiscard]] nlohmann::json interval_transforms(const nlohmann::json& scale);

/// Returns the transforms of a layer that draws the band of each row. On the logarithmic scale, a
/// band that reaches 0 is drawn down to the edge.
[[nodiscard]] nlohmann::json band_transforms(const nlohmann::json& scale);

/// Adds arrows at the lower ends of the intervals that continue beyond the edge of the axis, if
/// there are any.
/// @param channel channel of the rates, x or y
/// @param layers layers whose last one draws the intervals
void add_cut_marks(const Rows& rows, const std::string& channel, nlohmann::json& layers);

/// Returns a sentence about the arrows of add_cut_marks(), or an empty string without arrows.
/// @param scale scale of the rates
[[nodiscard]] std::string about_cut_intervals(const Rows& rows, const nlohmann::json& scale);

/// Returns the sentence about the band for the caption.
[[nodiscard]] std::string band_caption(const Rows& rows);

}  // namespace bloometry::report
