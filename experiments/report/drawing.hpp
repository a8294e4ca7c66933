#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/report/labels.hpp"
#include "experiments/report/row_selection.hpp"
#include "experiments/report/series_chart.hpp"
#include "experiments/report/theory_lines.hpp"

namespace bloometry::report {

/// The rows of one chart of series, with their division into series and views.
struct Drawing {
  const SeriesRequest& request;
  const ChartInput& input;
  RowSelection selection;
  Labels series;
  Labels views;
  std::string notes{};  ///< sentences of the caption about k and about series that coincide
  /// Rows whose k differs from the k of the other rows of their filter. Their marks are filled.
  std::set<const SummaryRow*> other_num_hashes{};
  /// Rows whose k is beside their mark, if there is room: other_num_hashes, if few.
  std::set<const SummaryRow*> named_num_hashes{};
  /// Place of a series, among those that coincide in one view, by view and series.
  std::map<std::pair<std::string, std::string>, std::size_t> place_in_group{};
  /// The lines that coincide with those of other series, by view, series and name of the theory.
  /// True if the line is drawn, in grey, and false if another one covers it.
  std::map<std::tuple<std::string, std::string, std::string>, bool> shared_lines{};
  std::size_t num_hidden_series = 0;
  std::size_t num_hidden_views = 0;
  TheoryLines lines{};

  [[nodiscard]] const Rows& rows() const noexcept { return selection.rows(); }

  [[nodiscard]] bool is_rate() const { return request.quantity == SeriesRequest::Quantity::kRate; }

  [[nodiscard]] bool has_lines() const { return request.x->value != nullptr; }

  [[nodiscard]] bool has_bands() const;
  [[nodiscard]] bool has_targets() const;

  /// Returns the range of rates that the axis must show. The range contains the confidence
  /// intervals of all points except the points for which has_idle_bound() is true. If an interval
  /// reaches 0, the range contains its part above the measured rate. For a point without false
  /// positives, the range contains only the upper bound. If expected rates are below the range, its
  /// lower end moves down to the lowest expected rate, by at most a factor of 10.
  [[nodiscard]] std::pair<double, double> rate_range() const;
};

/// Divides the rows into series and views, and leaves out the rows that cannot be drawn.
[[nodiscard]] Drawing plan_drawing(const SeriesRequest& request, RowSelection selection,
                                   const ChartInput& input);

/// Returns whether the row of a drawing has no mark, because has_idle_bound() is true for it.
[[nodiscard]] bool is_unmarked(const Drawing& drawing, const SummaryRow& row);

/// Number of points by series and view.
using Lengths = std::map<std::pair<std::string, std::string>, std::size_t>;

[[nodiscard]] Lengths lengths_of(const Drawing& drawing);

/// Returns the y at which the mark of a row is drawn.
[[nodiscard]] double measured_value(const Drawing& drawing, const SummaryRow& row);

/// Returns the y channel of a field of rates or fills.
[[nodiscard]] nlohmann::json quantity_channel(const Drawing& drawing, const std::string& field);

}  // namespace bloometry::report
