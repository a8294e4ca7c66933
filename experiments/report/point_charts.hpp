#pragma once

#include <optional>

#include "experiments/report/series_chart.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// Draws every point of a small run on its own line, with interval, exact theory and classic
/// formula.
[[nodiscard]] chart::Chart rate_by_point(RowSelection selection, const ChartInput& input);

/// Draws observed against expected rate for every point of the run. Equal rates lie on the
/// diagonal.
[[nodiscard]] chart::Chart observed_vs_expected(RowSelection selection, const ChartInput& input);

/// Draws the memory of filters that grow, in bits and in bits per key, against n.
[[nodiscard]] chart::Chart memory_vs_n(RowSelection selection, const ChartInput& input);

/// Draws the share of the duplicates of a stream that passed against the share of the originals
/// that were stopped. The chart is absent unless at least two rows have both.
[[nodiscard]] std::optional<chart::Chart> duplicates_vs_originals(RowSelection selection,
                                                                  const ChartInput& input);

/// Draws the rate against bits per key and highlights the Pareto front of each view. A point is not
/// on the front if another point has a lower rate with at most as many bits per key. The chart is
/// absent unless the rows have at least two variants and three sizes.
/// @param request request of the chart; its `x`, `quantity` and lines of theory are ignored
[[nodiscard]] std::optional<chart::Chart> pareto(const SeriesRequest& request,
                                                 RowSelection selection, const ChartInput& input);

/// Draws observed minus expected false positives, in standard errors, against expected false
/// positives. Each expectation is computed from the filter's own state. The points of a correct run
/// are in a band whose width does not depend on the number of false positives. The chart is absent
/// if fewer than `at_least` points have enough expected false positives for a meaningful standard
/// error.
[[nodiscard]] std::optional<chart::Chart> excess_funnel(RowSelection selection,
                                                        const ChartInput& input, double threshold,
                                                        std::size_t at_least);

/// Draws sorted p-values against those of a correct run, with the 95 % band of each order
/// statistic. The chart shows one row for each combination of keys, hash and trial, because rows of
/// one trial share keys and queries. The chart is absent if there are fewer than `at_least`
/// combinations.
[[nodiscard]] std::optional<chart::Chart> p_value_qq(const Verdict& verdict, std::size_t at_least);

/// Returns whether a cell of the rows' heat map deviates from theory by more than chance explains.
[[nodiscard]] bool has_more_than_grey(const Rows& rows);

/// Draws the relative error observed / expected - 1 over n and k. A cell is coloured if chance does
/// not explain the error of the cell. If several rows have one cell, the first row is drawn. The
/// chart is absent unless the rows have at least two values
/// of n and two values of k. The chart has at most 12 maps, with the same sizes for each variant.
[[nodiscard]] std::optional<chart::Chart> relative_error_heatmap(RowSelection selection,
                                                                 const ChartInput& input);

}  // namespace bloometry::report
