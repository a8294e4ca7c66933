#include "experiments/report/drawing.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/division.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/series_num_hashes.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

void leave_out_undrawable(RowSelection& selection, const SeriesRequest& request) {
  if (request.quantity == SeriesRequest::Quantity::kRate) leave_out_zero_rates(selection);
  if (request.x->value == nullptr) return;
  selection.leave_out_if([&](const SummaryRow& row) { return !request.x->value(row); },
                         "without a value on this axis");
  if (!has_log_scale(*request.x, selection.rows())) return;
  selection.leave_out_if([&](const SummaryRow& row) { return request.x->value(row) == 0; },
                         "at n = 0, which a logarithmic axis cannot show");
}

bool is_by_num_hashes(const SeriesRequest& request) {
  return request.x->name == "num_hashes" || request.series == "num_hashes" ||
         request.facet == "num_hashes" ||
         std::find(request.axes.begin(), request.axes.end(), "num_hashes") != request.axes.end();
}

/// Returns the reason of left-out rows, such as "of 4 further series (“a”, “b”, “c” and 1 more)".
std::string reason_of(const std::vector<std::string>& removed, const char* kind) {
  constexpr std::size_t kMostNamed = 3;
  if (removed.size() <= kMostNamed) {
    return fmt::format("of {} further {} ({})", grouped(removed.size()), kind, quoted(removed));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kMostNamed; ++i) names.push_back(fmt::format("“{}”", removed[i]));
  return fmt::format("of {} further {} ({} and {} more)", grouped(removed.size()), kind,
                     joined(names), grouped(removed.size() - kMostNamed));
}

/// Returns whether each view has at most kMostUndividedSeries of the series.
/// @param series_of_views pairs of a view and a series in it
bool fit_in_views(const std::vector<std::string>& series,
                  const std::set<std::pair<std::string, std::string>>& series_of_views) {
  const std::set<std::string_view> kept(series.begin(), series.end());
  std::map<std::string_view, std::size_t> num_series;
  for (const auto& [view, name] : series_of_views) {
    if (kept.contains(name) && ++num_series[view] > kMostUndividedSeries) return false;
  }
  return true;
}

/// Leaves out as few series as the limits of a view and of the chart allow. Returns their labels.
std::vector<std::string> thin_out_series(Drawing& drawing) {
  std::set<std::pair<std::string, std::string>> series_of_views;
  for (const SummaryRow* row : drawing.rows()) {
    series_of_views.emplace(drawing.views.of(*row), drawing.series.of(*row));
  }
  for (std::size_t limit = kMostSeries;; --limit) {
    Labels series = drawing.series;
    std::vector<std::string> removed = series.thin_out(limit);
    if (limit > kMostUndividedSeries && !fit_in_views(series.in_order(), series_of_views)) continue;
    drawing.series = std::move(series);
    return removed;
  }
}

/// Leaves out the series and views beyond the limits.
void thin_out(Drawing& drawing) {
  const std::vector<std::string> series = thin_out_series(drawing);
  drawing.num_hidden_series = series.size();
  drawing.selection.leave_out_if(
      [&](const SummaryRow& row) { return !drawing.series.contains(row); },
      reason_of(series, "series"));
  const std::vector<std::string> views = drawing.views.thin_out(kMostSeriesViews);
  drawing.num_hidden_views = views.size();
  drawing.selection.leave_out_if(
      [&](const SummaryRow& row) { return !drawing.views.contains(row); },
      reason_of(views, views.size() == 1 ? "view" : "views"));
}

}  // namespace

bool Drawing::has_bands() const {
  if (!is_rate() || !has_lines()) return false;
  const auto [low, high] = rate_range();
  return has_visible_band(rows(), low, high);
}

bool Drawing::has_targets() const {
  return request.shows_targets && std::any_of(rows().begin(), rows().end(),
                                              [](const SummaryRow* row) { return grows(*row); });
}

std::pair<double, double> Drawing::rate_range() const {
  constexpr double kMargin = 1.2;  // factor of the space for marks at the edges
  double low = 1;
  double high = 0;
  double least_expected = 1;
  for (const SummaryRow* row : rows()) {
    high = std::max({high, row->expected_false_positive_rate,
                     has_classic_rate(*row) ? *row->classic_false_positive_rate : 0});
    least_expected = std::min(least_expected, row->expected_false_positive_rate);
    if (request.shows_targets && grows(*row)) {
      low = std::min(low, *row->target_false_positive_rate / kMargin);
      high = std::max(high, std::min(1.0, *row->target_false_positive_rate * kMargin));
    }
    if (has_idle_bound(*row)) continue;
    low = std::min(low, least_drawn_rate(*row) / kMargin);
    high = std::max(high, row->interval_upper);
  }
  if (high <= 0) return {0.1, 1};
  if (least_expected < low) low = std::max(least_expected, low / 10);
  return {low, high};
}

Drawing plan_drawing(const SeriesRequest& request, RowSelection selection,
                     const ChartInput& input) {
  leave_out_undrawable(selection, request);
  Division division = divided(request, selection.rows(), input.wording);
  distinguish(division.series, selection.rows(), input.wording, [&](const SummaryRow& row) {
    const std::string x = request.x->value == nullptr ? request.x->label(row, input.wording)
                                                      : number_text(*request.x->value(row));
    return joined_label(division.views, row, input.wording) + "\n" + x;
  });
  Drawing drawing{.request = request,
                  .input = input,
                  .selection = selection,
                  .series = Labels(division.series, selection.rows(), input.wording),
                  .views = Labels(division.views, selection.rows(), input.wording)};
  thin_out(drawing);
  if (!is_by_num_hashes(request)) {
    mark_other_num_hashes(drawing);
    name_num_hashes(drawing);
  }
  const Rows& rows = drawing.rows();
  const auto num_unmarked = std::count_if(
      rows.begin(), rows.end(), [&](const SummaryRow* row) { return is_unmarked(drawing, *row); });
  drawing.selection.note_unmarked(static_cast<std::size_t>(num_unmarked), kIdleBoundReason);
  return drawing;
}

bool is_unmarked(const Drawing& drawing, const SummaryRow& row) {
  return drawing.is_rate() && has_idle_bound(row);
}

Lengths lengths_of(const Drawing& drawing) {
  Lengths lengths;
  for (const SummaryRow* row : drawing.rows()) {
    ++lengths[{drawing.series.of(*row), drawing.views.of(*row)}];
  }
  return lengths;
}

double measured_value(const Drawing& drawing, const SummaryRow& row) {
  return drawing.is_rate() ? drawn_rate(row) : row.observed_fill_ratio;
}

nlohmann::json quantity_channel(const Drawing& drawing, const std::string& field) {
  if (drawing.is_rate()) {
    const auto [low, high] = drawing.rate_range();
    return chart::rate_channel(field, "false-positive rate", low, high);
  }
  return {{"field", field},
          {"type", "quantitative"},
          {"title", "fill ratio (share of non-zero cells)"},
          {"scale", {{"domain", {0, 1}}, {"nice", false}}}};
}

}  // namespace bloometry::report
