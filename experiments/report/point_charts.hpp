#pragma once

#include <optional>

#include "experiments/report/series_chart.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// Draws every point of a small run as its own line: interval, exact theory and classic formula.
[[nodiscard]] chart::Chart rate_by_point(const Rows& rows, const ChartInput& input);

/// Draws observed against expected rate for every point of the run: equal rates lie on the
/// diagonal.
[[nodiscard]] chart::Chart observed_vs_expected(const Rows& rows, const ChartInput& input);

/// Draws the memory of filters that grow, in bits and in bits per key, against n.
[[nodiscard]] chart::Chart memory_vs_n(const Rows& rows, const ChartInput& input);

/// Draws the rate against bits per key and highlights the Pareto front of each view. A point is off
/// the front if another one is better in one value and at least as good in the other. Absent
/// without two variants and three sizes.
/// @param request `x`, `quantity` and the lines of theory are not used
[[nodiscard]] std::optional<chart::Chart> pareto(const SeriesRequest& request, const Rows& rows,
                                                 const ChartInput& input);

/// Draws the false positives beyond the prediction from each filter's own state, in standard
/// errors, against expected false positives. A correct run fills a band of constant width, whatever
/// the number of false positives. Absent if fewer than `at_least` points expect enough false
/// positives for a meaningful standard error.
[[nodiscard]] std::optional<chart::Chart> excess_funnel(const Rows& rows, const ChartInput& input,
                                                        double threshold, std::size_t at_least);

/// Draws sorted p-values against those of a correct run, with the 95 % band of each order
/// statistic. It uses one row per (keys, hash, trial), because rows of one trial share keys and
/// queries. Absent if there are fewer than `at_least` of them.
[[nodiscard]] std::optional<chart::Chart> p_value_qq(const Verdict& verdict, std::size_t at_least);

/// Returns whether a cell of a heat map of the rows deviates from theory by more than chance
/// explains.
[[nodiscard]] bool has_more_than_grey(const Rows& rows);

/// Draws the relative error observed / expected - 1 over n and k, coloured if chance does not
/// explain it. Absent without two n and two k. Draws at most 12 maps, with the same sizes for each
/// variant.
[[nodiscard]] std::optional<chart::Chart> relative_error_heatmap(const Rows& rows,
                                                                 const ChartInput& input);

}  // namespace bloometry::report
