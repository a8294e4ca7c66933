#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "experiments/chart/chart.hpp"
#include "experiments/report/axis.hpp"

namespace bloometry::report {

// Functions that turn the rows of a summary into chart data.

/// Returns a row by the names of its columns; absent values are omitted.
[[nodiscard]] nlohmann::json row_record(const SummaryRow& row);

/// Returns row_record of the rows by their indices; the rows must outlive it.
[[nodiscard]] chart::RowRecord row_records(std::span<const SummaryRow> rows);

/// Returns the position channel of a point's `x`: logarithmic if the values have a large range,
/// whole numbers for k.
[[nodiscard]] nlohmann::json x_channel(const Axis& axis, const Rows& rows);

/// Returns whether charts against this axis are logarithmic in n. This is the case if the n have a
/// constant ratio, as on a log scale in a config. It is also the case if the largest n is at least
/// 30 times the smallest and they spread over the powers of ten between. An n of 0 does not count.
[[nodiscard]] bool has_log_n(const Axis& axis, const Rows& rows);

/// Returns texts for tooltips, and the tooltip. The texts are computed in the chart because absent
/// numbers do not have one.
[[nodiscard]] nlohmann::json row_texts();
[[nodiscard]] nlohmann::json row_tooltip();

/// Returns the band of a row as fields of its point; nothing without a band.
[[nodiscard]] nlohmann::json band_fields(const SummaryRow& row);

/// Returns the caption's sentence on the band.
[[nodiscard]] std::string band_caption();

}  // namespace bloometry::report
