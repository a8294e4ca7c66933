#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// All rows, as pointers.
[[nodiscard]] Rows all_rows(std::span<const SummaryRow> rows);

/// Of each filter size, the rows at the n closest to its capacity. Rows without a capacity stay
/// where they meet such an n, and all of them stay if there is no capacity in the run.
[[nodiscard]] Rows at_capacity(const Rows& rows, const Wording& wording);

/// Of each filter size, the rows with the k that theory expects the least rate of, at capacity (or
/// at the largest n): what a user would choose. Filters that choose k themselves stay.
[[nodiscard]] Rows at_best_num_hashes(const Rows& rows, const Wording& wording);

/// For each kind of filter, which `kinds` tell apart, the rows at the largest n that has three
/// values of x, or at the largest n if none has.
[[nodiscard]] Rows at_most_keys(const Rows& rows, const Axis& x, std::span<const Axis* const> kinds,
                                const Wording& wording);

/// Rows that can stand on a logarithmic axis: their expected rate is above zero.
[[nodiscard]] Rows with_positive_rate(const Rows& rows);

/// Where a row's mark stands: at its rate, without a hit at the upper bound.
[[nodiscard]] double drawn_rate(const SummaryRow& row);

/// Where 95 % of the means over the row's filters fall: filters differ, so that even without end of
/// queries their rates would. Absent where theory does not know the spread.
struct Band {
  double lower = 0;
  double upper = 0;
};

[[nodiscard]] std::optional<Band> band_of_means(const SummaryRow& row);

/// Returns whether the band of any row is wide enough to be seen on a logarithmic axis from low to
/// high: 1 % of its length, 3 or 4 px.
[[nodiscard]] bool has_visible_band(const Rows& rows, double low, double high);

/// Returns whether the row had no hit and its upper bound is more than ten times the expected rate:
/// so few queries say nothing of it, and a row of such bounds looks like a rate.
[[nodiscard]] bool has_idle_bound(const SummaryRow& row);

/// " Left out: 12 points without a hit, ..." of a caption; empty if count is 0.
[[nodiscard]] std::string idle_bounds_note(std::size_t count);

}  // namespace bloometry::report
