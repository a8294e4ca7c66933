#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "experiments/chart/chart.hpp"
#include "experiments/report/axis.hpp"

namespace bloometry::report {

// Functions that turn the rows of a summary into chart data.

/// Returns a row as an object with the names of its columns. Absent values are omitted.
[[nodiscard]] nlohmann::json row_record(const SummaryRow& row);

/// Returns a function that returns the row_record() of a row by index. The rows must outlive it.
[[nodiscard]] chart::RowRecord row_records(std::span<const SummaryRow> rows);

/// Returns the position channel of a point's `x`. It is logarithmic if the values have a large
/// range, and has only whole numbers for k.
[[nodiscard]] nlohmann::json x_channel(const Axis& axis, const Rows& rows);

/// Returns whether charts against this axis are logarithmic in n. Returns true if the ratio of
/// consecutive n is constant, like that of the values of a log scale in a config. Also returns true
/// if the largest n is at least 30 times the smallest and the n spread over the powers of ten
/// between them. An n of 0 is ignored.
[[nodiscard]] bool has_log_n(const Axis& axis, const Rows& rows);

/// Returns the transforms that make the tooltip's texts, and the tooltip. The chart makes the
/// texts, because absent numbers do not have one.
[[nodiscard]] nlohmann::json row_texts();
[[nodiscard]] nlohmann::json row_tooltip();

/// Returns the band of a row as fields of its point, or an empty object without a band.
[[nodiscard]] nlohmann::json band_fields(const SummaryRow& row);

/// Returns the caption's sentence about the band.
[[nodiscard]] std::string band_caption();

}  // namespace bloometry::report
