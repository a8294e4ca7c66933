#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// Returns all rows, as pointers.
[[nodiscard]] Rows all_rows(std::span<const SummaryRow> rows);

/// Returns the rows at the n closest to the capacity of each filter size. Rows without a capacity
/// are kept at such an n, and all of them are kept if the run lacks a capacity.
[[nodiscard]] Rows at_capacity(const Rows& rows, const Wording& wording);

/// Returns the rows with the best k of each filter size, as a user would choose it. It has the
/// least expected rate at capacity, or at the largest n. Filters that choose k themselves are kept.
[[nodiscard]] Rows at_best_num_hashes(const Rows& rows, const Wording& wording);

/// Returns the rows at one n per kind of filter, which the axes `kinds` determine. It is the
/// largest n with three values of x, or otherwise the largest n.
[[nodiscard]] Rows at_most_keys(const Rows& rows, const Axis& x, std::span<const Axis* const> kinds,
                                const Wording& wording);

/// Returns the rows that a logarithmic axis can show: their expected rate is above zero.
[[nodiscard]] Rows with_positive_rate(const Rows& rows);

/// Returns the position of a row's mark: its rate, or the upper bound without false positives.
[[nodiscard]] double drawn_rate(const SummaryRow& row);

/// The range of 95 % of the means over the row's filters. Filters differ, so their rates would
/// spread even with infinitely many queries. Absent if the spread is unknown in theory.
struct Band {
  double lower = 0;
  double upper = 0;
};

[[nodiscard]] std::optional<Band> band_of_means(const SummaryRow& row);

/// Returns whether any row's band is visible on a logarithmic axis from low to high: at least 1 %
/// of its length, 3 or 4 px.
[[nodiscard]] bool has_visible_band(const Rows& rows, double low, double high);

/// Returns whether the row is without false positives and its upper bound is more than ten times
/// the expected rate. Such a row had too few queries to show the rate, and its bound could be
/// mistaken for one.
[[nodiscard]] bool has_idle_bound(const SummaryRow& row);

/// Returns the caption's text " Left out: 12 points without a false positive, ..."; empty if count
/// is 0.
[[nodiscard]] std::string idle_bounds_note(std::size_t count);

}  // namespace bloometry::report
