#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// Returns pointers to all rows.
[[nodiscard]] Rows all_rows(std::span<const SummaryRow> rows);

/// Returns, for each filter size, the rows whose n is closest to the capacity. Rows without a
/// capacity are kept if their n is one of those. If no row has a capacity, all rows are kept.
[[nodiscard]] Rows at_capacity(const Rows& rows, const Wording& wording);

/// Returns, for each filter size, the rows with the best k, as a user would choose it. The best k
/// has the least expected rate at capacity, or at the largest n without a capacity. Filters that
/// choose k themselves are kept.
[[nodiscard]] Rows at_best_num_hashes(const Rows& rows, const Wording& wording);

/// Returns the rows at one n per kind of filter. The axes `kinds` determine the kind. The function
/// chooses the largest n at which the kind has at least three values of x, or the largest n of the
/// kind if no such n exists.
[[nodiscard]] Rows at_most_keys(const Rows& rows, const Axis& x, std::span<const Axis* const> kinds,
                                const Wording& wording);

/// Returns the rows with an expected rate above zero, which a logarithmic axis can show.
[[nodiscard]] Rows with_positive_rate(const Rows& rows);

/// Returns the position of a row's mark: its rate, or the upper bound without false positives.
[[nodiscard]] double drawn_rate(const SummaryRow& row);

/// The range that contains 95 % of the means over the row's filters. Filters differ, so their rates
/// would spread even with infinitely many queries. Absent if theory does not give the spread.
struct Band {
  double lower = 0;
  double upper = 0;
};

[[nodiscard]] std::optional<Band> band_of_means(const SummaryRow& row);

/// Returns whether the band of any row is visible on a logarithmic axis from low to high. A visible
/// band has at least 1 % of the axis's length, 3 or 4 px.
[[nodiscard]] bool has_visible_band(const Rows& rows, double low, double high);

/// Returns whether the row does not have false positives and its upper bound exceeds ten times the
/// expected rate. Such a row had too few queries to show the rate, and readers could mistake its
/// bound for a rate.
[[nodiscard]] bool has_idle_bound(const SummaryRow& row);

/// Returns the caption's text " Left out: 12 points without a false positive, ...", or an empty
/// text if count is 0.
[[nodiscard]] std::string idle_bounds_note(std::size_t count);

}  // namespace bloometry::report
