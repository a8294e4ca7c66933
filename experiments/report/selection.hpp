#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "experiments/report/chart_axis.hpp"
#include "experiments/report/row_selection.hpp"

namespace bloometry::report {

/// Returns pointers to all rows.
[[nodiscard]] Rows all_rows(std::span<const SummaryRow> rows);

/// Returns, for each filter size, the rows whose n is closest to the capacity. The result also
/// contains the rows without a capacity at the selected n. If no row has one, it contains all rows.
[[nodiscard]] Rows at_capacity(const Rows& rows, const Wording& wording);

/// Returns one row for each filter and n. The row has the best k of the filter, which is the tried
/// k with the lowest expected rate at capacity, or at the largest n of a filter without a capacity.
/// If the filter does not have a row with this k at the n, the function chooses the k with the
/// lowest expected rate at the n. The result also contains filters that choose k themselves.
[[nodiscard]] Rows at_best_num_hashes(const Rows& rows, const Wording& wording);

/// Returns the rows whose k differs from the best k of their filter. The rows must not have several
/// k for one filter and n.
[[nodiscard]] std::set<const SummaryRow*> at_other_num_hashes(const Rows& rows,
                                                              const Wording& wording);

/// Returns the rows at one value of n for each kind of filter. The axes `kinds` determine the kind.
/// The function chooses the largest n at which the kind has at least three values of x, or its
/// largest n if it has no such n.
[[nodiscard]] Rows at_most_keys(const Rows& rows, const Axis& x, std::span<const Axis* const> kinds,
                                const Wording& wording);

/// Returns the rate at which a row's mark is drawn. For a row without false positives, the drawn
/// rate is the upper bound of the interval.
[[nodiscard]] double drawn_rate(const SummaryRow& row);

/// Returns the lowest rate of a row that a logarithmic axis can show. This is the lower end of the
/// interval. If the lower end is 0, or if the row has no false positives, it is drawn_rate().
[[nodiscard]] double least_drawn_rate(const SummaryRow& row);

/// A range of rates.
struct Band {
  double lower = 0;
  double upper = 0;
};

/// Returns the range that contains 95 % of the measured rates of a row's filters and queries. Its
/// width includes both sources of chance: the filters of one size differ, and each query of a
/// filter is a random one. The range is absent if theory does not predict the spread: if `verify`
/// does not test the row, or if its queries are repeated. The lower end may be 0.
///
/// With T filters of mean rate p and variance s^2, and Q queries of all filters together, the
/// variance of the pooled rate is s^2 / T + (p (1 - p) - s^2) / Q, by the law of total variance.
[[nodiscard]] std::optional<Band> band_of_rates(const SummaryRow& row);

/// Returns whether the filters' part of any row's band is visible on a logarithmic axis from low to
/// high: its height is at least 1 % of the axis's length, 3 or 4 px. The queries' part alone is
/// that of the intervals, which a chart shows anyway.
[[nodiscard]] bool has_visible_band(const Rows& rows, double low, double high);

/// Returns whether the queries of the row are repeated, as Zipf queries are. One popular key may
/// then cause many false positives, so that only the spread between trials shows the error.
[[nodiscard]] bool has_repeated_queries(const SummaryRow& row);

/// Returns a sentence about the intervals of rows with repeated queries, or an empty string without
/// such rows.
[[nodiscard]] std::string about_repeated_queries(const Rows& rows);

/// Returns whether the row does not have false positives and its upper bound exceeds ten times the
/// expected rate. Charts omit such a row, because its queries were too few to show the rate and
/// readers could mistake its upper bound for the rate.
[[nodiscard]] bool has_idle_bound(const SummaryRow& row);

/// Returns whether the expected rate of the row is only an upper bound.
[[nodiscard]] bool has_only_bound(const SummaryRow& row);

/// Reasons for which charts leave rows out (RowSelection).
inline constexpr std::string_view kIdleBoundReason =
    "without a false positive, whose upper bound is more than ten times the expected rate (so that "
    "drawn points of one or two false positives may be the high ones)";
inline constexpr std::string_view kZeroRateReason =
    "whose expected rate is 0, which a logarithmic axis cannot show";
inline constexpr std::string_view kOtherNumHashesReason = "at other k";
inline constexpr std::string_view kOtherNumKeysReason = "at other n";

/// Leaves out the rows without an expected rate above zero, because a logarithmic axis cannot show
/// zero.
void leave_out_zero_rates(RowSelection& selection);

}  // namespace bloometry::report
