#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "experiments/chart/chart.hpp"
#include "experiments/report/axis.hpp"

namespace bloometry::report {

// How charts show the rows of a summary.

/// A row by the names of its columns; absent values are left out.
[[nodiscard]] nlohmann::json row_record(const SummaryRow& row);

/// row_record of the rows by their numbers; they must outlive it.
[[nodiscard]] chart::RowRecord row_records(std::span<const SummaryRow> rows);

/// Position channel of a point's `x`: logarithmic where the values span much, whole numbers for k.
[[nodiscard]] nlohmann::json x_channel(const Axis& axis, const Rows& rows);

/// Whether charts against this axis are logarithmic in n: the n have even ratios, as those of a log
/// scale in a config, or the largest is 30 times the smallest or more, and they are spread over the
/// powers of ten between. n = 0 does not count.
[[nodiscard]] bool has_log_n(const Axis& axis, const Rows& rows);

/// Texts for tooltips, calculated in the chart because absent numbers have none; and the tooltip.
[[nodiscard]] nlohmann::json row_texts();
[[nodiscard]] nlohmann::json row_tooltip();

/// The band of a row as fields of its point; nothing if there is none.
[[nodiscard]] nlohmann::json band_fields(const SummaryRow& row);

/// What a caption says about the band.
[[nodiscard]] std::string band_caption();

}  // namespace bloometry::report
