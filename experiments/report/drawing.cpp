#include "experiments/report/drawing.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/series_num_hashes.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using Axes = std::vector<const Axis*>;

bool has(const Axes& axes, std::string_view name) {
  return std::find(axes.begin(), axes.end(), &axis(name)) != axes.end();
}

void leave_out_undrawable(RowSelection& selection, const SeriesRequest& request) {
  if (request.quantity == SeriesRequest::Quantity::kRate) leave_out_zero_rates(selection);
  if (request.x->value == nullptr) return;
  selection.leave_out_if([&](const SummaryRow& row) { return !request.x->value(row); },
                         "without a value on this axis");
  if (!has_log_scale(*request.x, selection.rows())) return;
  selection.leave_out_if([&](const SummaryRow& row) { return request.x->value(row) == 0; },
                         "at n = 0, which a logarithmic axis cannot show");
}

/// The axes that distinguish series, and the axes that distinguish views.
struct Division {
  Axes series;
  Axes views;
};

/// Removes the size from the axes of series if the views or the x axis already give the size.
void drop_implied_size(Division& division, const Rows& rows, const Wording& wording) {
  if (!has(division.series, "size")) return;
  const auto num_labels = [&] {
    Axes all = division.views;
    all.insert(all.end(), division.series.begin(), division.series.end());
    return Labels(all, rows, wording).in_order().size();
  };
  const std::size_t num_before = num_labels();
  const Axes series = division.series;
  std::erase(division.series, &axis("size"));
  if (num_labels() < num_before) division.series = series;
}

/// Divides the rows as the request states: by its axis of series, its axis of views, or both. Other
/// axes in which the rows differ distinguish views beside an axis of series, and series beside an
/// axis of views.
Division requested_division(const SeriesRequest& request, const Rows& rows,
                            const Wording& wording) {
  Axes others = series_axes(request.axes, rows, wording);
  Division division;
  if (!request.facet.empty()) division.views = {&axis(request.facet)};
  if (!request.series.empty()) division.series = {&axis(request.series)};
  for (const Axes* chosen : {&division.views, &division.series}) {
    for (const Axis* axis : *chosen) std::erase(others, axis);
  }
  const bool has_views = !request.series.empty() && !request.has_one_view;
  Axes& target = has_views ? division.views : division.series;
  target.insert(target.end(), others.begin(), others.end());
  constexpr std::array<std::string_view, 4> kSizes = {"bits_per_key", "num_bits", "num_counters",
                                                      "target_false_positive_rate"};
  const bool has_size = std::any_of(kSizes.begin(), kSizes.end(), [&](std::string_view name) {
    return request.facet == name || request.series == name;
  });
  if (has_size) drop_implied_size(division, rows, wording);
  return division;
}

/// Moves axes from series to views, starting with the last axis, until at most kMostUndividedSeries
/// series are left. The function never moves the axis of sizes; the caller removes excess sizes.
Division divided(const SeriesRequest& request, const Rows& rows, const Wording& wording) {
  if (!request.facet.empty() || !request.series.empty()) {
    return requested_division(request, rows, wording);
  }
  Division division{.series = series_axes(request.axes, rows, wording), .views = {}};
  const auto can_divide = [&] {
    return !division.series.empty() && division.series.back()->name != "size";
  };
  while (!request.has_one_view && can_divide() &&
         Labels(division.series, rows, wording).in_order().size() > kMostUndividedSeries) {
    division.views.insert(division.views.begin(), division.series.back());
    division.series.pop_back();
  }
  // The views also get the variant, because parameters without their variant are ambiguous.
  if (has(division.views, "params") && has(division.series, "variant")) {
    std::erase(division.series, &axis("variant"));
    division.views.insert(division.views.begin(), &axis("variant"));
  }
  return division;
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

/// Leaves out the series and views beyond the limits.
void thin_out(Drawing& drawing) {
  const std::vector<std::string> series = drawing.series.thin_out(kMostUndividedSeries);
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
  const Division division = divided(request, selection.rows(), input.wording);
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
