#pragma once

#include <optional>

#include "experiments/report/series_chart.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// Every point of a small run as a line of its own: interval, exact theory and classic formula.
[[nodiscard]] chart::Chart rate_by_point(const Rows& rows, const ChartInput& input);

/// Observed against expected rate, every point of the run: on the diagonal they agree.
[[nodiscard]] chart::Chart observed_vs_expected(const Rows& rows, const ChartInput& input);

/// Memory of filters that grow, in bits and in bits per key, against n.
[[nodiscard]] chart::Chart memory_vs_n(const Rows& rows, const ChartInput& input);

/// Rate against bits per key, with the points strong that no other point of their view beats in one
/// of the two without being worse in the other. Absent without two variants and three sizes.
/// @param request `x`, `quantity` and the lines of theory are not used
[[nodiscard]] std::optional<chart::Chart> pareto(const SeriesRequest& request, const Rows& rows,
                                                 const ChartInput& input);

/// Hits beyond what each filter's own state predicts, in standard errors, against expected hits:
/// an honest run fills a band of constant width, whatever the number of hits. Absent if
/// fewer than `at_least` points expect enough hits for a standard error to mean something.
[[nodiscard]] std::optional<chart::Chart> excess_funnel(const Rows& rows, const ChartInput& input,
                                                        double threshold, std::size_t at_least);

/// Sorted p-values against those of an honest run, with the 95 % band of each order statistic. One
/// row per (keys, hash, trial), because rows of one trial share keys and queries. Absent if there
/// are fewer than `at_least` of them.
[[nodiscard]] std::optional<chart::Chart> p_value_qq(const Verdict& verdict, std::size_t at_least);

/// Returns whether a cell of a heat map of the rows differs from theory by more than chance
/// explains.
[[nodiscard]] bool has_more_than_grey(const Rows& rows);

/// Relative error observed / expected - 1 over n and k, coloured where chance does not explain it.
/// Absent without two n and two k. At most 12 maps, of the same sizes for each variant.
[[nodiscard]] std::optional<chart::Chart> relative_error_heatmap(const Rows& rows,
                                                                 const ChartInput& input);

}  // namespace bloometry::report
