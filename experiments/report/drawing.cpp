#include "experiments/report/drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
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
  if (!has_log_n(*request.x, selection.rows())) return;
  selection.leave_out_if([](const SummaryRow& row) { return row.num_inserted == 0; },
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

/// The values of k of some rows. A value without a number is a k that the filter chooses.
using NumHashes = std::set<std::optional<std::uint64_t>>;

/// Returns text such as "k = 7", "k = 3, 5, 8", "k = 3 to 14" or "k chosen by the filter".
std::string text_of(const NumHashes& values) {
  constexpr std::size_t kMostListed = 3;
  std::vector<std::string> numbers;
  for (const auto& value : values) {
    if (value) numbers.push_back(std::to_string(*value));
  }
  if (numbers.empty()) return "k chosen by the filter";
  const std::string listed = numbers.size() <= kMostListed
                                 ? joined(numbers)
                                 : fmt::format("{} to {}", numbers.front(), numbers.back());
  return fmt::format("k = {}{}", listed, values.contains(std::nullopt) ? " or own" : "");
}

/// Returns the values of k by label.
std::map<std::string, NumHashes> num_hashes_by(const Labels& labels, const Rows& rows) {
  std::map<std::string, NumHashes> found;
  for (const SummaryRow* row : rows) found[labels.of(*row)].insert(row->num_hashes);
  return found;
}

/// Returns the text of the values of k by label.
std::map<std::string, std::string> texts_of(const std::map<std::string, NumHashes>& values) {
  std::map<std::string, std::string> texts;
  for (const auto& [label, of_label] : values) texts[label] = text_of(of_label);
  return texts;
}

bool are_equal(const std::map<std::string, NumHashes>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const auto& entry) { return entry.second == values.begin()->second; });
}

bool have_one_each(const std::map<std::string, NumHashes>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const auto& entry) { return entry.second.size() == 1; });
}

/// Names k where the drawing differs in k: in the legend if each series has one k, otherwise in the
/// titles of views, or as a range in the legend. Names k in the caption if all series have the same
/// k.
void name_num_hashes(Drawing& drawing) {
  const Rows& rows = drawing.rows();
  if (rows.empty()) return;
  const std::string_view title = axis("num_hashes").title;
  const auto by_view = num_hashes_by(drawing.views, rows);
  const auto by_series = num_hashes_by(drawing.series, rows);
  const bool is_clear_by_series = have_one_each(by_series) && !are_equal(by_series);
  if (!are_equal(by_view) && (have_one_each(by_view) || !is_clear_by_series)) {
    drawing.views.append(texts_of(by_view), title);
  } else if (!are_equal(by_series)) {
    drawing.series.append(texts_of(by_series), title);
  } else if (by_series.begin()->second.size() > 1) {
    drawing.notes += fmt::format(" {}; tooltips and summary.csv have the k of each mark.",
                                 text_of(by_series.begin()->second));
  } else if (rows.front()->num_hashes) {
    drawing.notes += fmt::format(" All have k = {}.", *rows.front()->num_hashes);
  }
}

/// Returns the rows of the series that contain a row with another k, unless they are so many that
/// texts beside their marks would overlap.
std::set<const SummaryRow*> rows_to_name(const Drawing& drawing) {
  constexpr std::size_t kMostNamed = 24;
  const auto key_of = [&](const SummaryRow& row) {
    return std::pair(drawing.series.of(row), drawing.views.of(row));
  };
  std::set<std::pair<std::string, std::string>> mixed;
  for (const SummaryRow* row : drawing.other_num_hashes) mixed.insert(key_of(*row));
  std::set<const SummaryRow*> named;
  for (const SummaryRow* row : drawing.rows()) {
    if (row->num_hashes && mixed.contains(key_of(*row))) named.insert(row);
  }
  return named.size() > kMostNamed ? std::set<const SummaryRow*>() : named;
}

/// Marks the rows whose k differs from the rest of their filter, and states it in the caption. The
/// caption counts only filled marks. A row of a rate without false positives has none.
void mark_other_num_hashes(Drawing& drawing) {
  drawing.other_num_hashes = at_other_num_hashes(drawing.rows(), drawing.input.wording);
  drawing.named_num_hashes = rows_to_name(drawing);
  const auto is_filled = [&](const SummaryRow* row) {
    return !drawing.is_rate() || row->num_false_positives > 0;
  };
  const auto count = static_cast<std::size_t>(
      std::count_if(drawing.other_num_hashes.begin(), drawing.other_num_hashes.end(), is_filled));
  if (count == 0) return;
  drawing.notes +=
      fmt::format(" {} filled: {} another k than the other marks of {}{}.",
                  count == 1 ? "1 mark is" : grouped(count) + " marks are",
                  count == 1 ? "it has" : "they have", count == 1 ? "its filter" : "their filters",
                  drawing.named_num_hashes.empty() ? "" : "; k is beside the marks");
}

bool is_by_num_hashes(const SeriesRequest& request) {
  return request.x->name == "num_hashes" || request.series == "num_hashes" ||
         request.facet == "num_hashes" ||
         std::find(request.axes.begin(), request.axes.end(), "num_hashes") != request.axes.end();
}

/// Returns “a”, “b” and “c”.
std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += fmt::format("“{}”", names[i]);
  }
  return text;
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
    name_num_hashes(drawing);
    mark_other_num_hashes(drawing);
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

namespace {

/// The positions of the marks of one series in one view: y by x.
using Positions = std::map<double, double>;

/// Returns the positions of the series in each view.
std::map<std::string, std::map<std::string, Positions>> positions_of(
    const Drawing& drawing, const std::function<double(const SummaryRow&)>& axis_share) {
  std::map<std::string, std::map<std::string, Positions>> positions;
  for (const SummaryRow* row : drawing.rows()) {
    // Upper bounds at one position are drawn side by side.
    if (drawing.is_rate() && row->num_false_positives == 0) continue;
    const double x = *drawing.request.x->value(*row);
    positions[drawing.views.of(*row)][drawing.series.of(*row)][x] = axis_share(*row);
  }
  return positions;
}

constexpr double kMarkShare = 0.01;  // half of a mark, as a share of the axis

/// Returns whether the marks of two series cover one another.
bool coincide(const Positions& a, const Positions& b) {
  return a.size() == b.size() && !a.empty() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& left, const auto& right) {
           return left.first == right.first && std::abs(left.second - right.second) <= kMarkShare;
         });
}

using Group = std::vector<std::string>;  // names of series that coincide

/// Returns the groups of series that coincide in one view, in the order of the legend.
std::vector<Group> groups_of(const std::map<std::string, Positions>& positions,
                             const std::vector<std::string>& names) {
  std::vector<Group> groups;
  for (const std::string& name : names) {
    if (!positions.contains(name)) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& members) {
      return coincide(positions.at(members.front()), positions.at(name));
    });
    if (group == groups.end()) {
      groups.push_back({name});
    } else {
      group->push_back(name);
    }
  }
  std::erase_if(groups, [](const Group& group) { return group.size() < 2; });
  return groups;
}

/// Returns a sentence about the groups of series that coincide, with the views of each group.
std::string about_groups(const std::map<Group, std::vector<std::string>>& views_of,
                         std::size_t num_views) {
  constexpr std::size_t kMostNamed = 6;
  if (views_of.empty()) return "";
  std::string text;
  std::size_t num_named = 0;
  for (const auto& [group, views] : views_of) {
    if (num_named++ == kMostNamed) break;
    text += fmt::format("{}{}{}", text.empty() ? " " : "; ", quoted(group),
                        views.size() == num_views ? "" : " in " + quoted(views));
  }
  if (views_of.size() > kMostNamed) {
    text += fmt::format("; {} more", plural(views_of.size() - kMostNamed, "group"));
  }
  return " Series that coincide, with marks of different sizes:" + text + ".";
}

}  // namespace

void find_coinciding_series(Drawing& drawing,
                            const std::function<double(const SummaryRow&)>& axis_share) {
  if (!drawing.has_lines()) return;  // marks at names on the x axis are side by side
  std::map<Group, std::vector<std::string>> views_of;
  const auto positions = positions_of(drawing, axis_share);
  for (const std::string& view : drawing.views.in_order()) {
    const auto found = positions.find(view);
    if (found == positions.end()) continue;
    for (const Group& group : groups_of(found->second, drawing.series.in_order())) {
      views_of[group].push_back(view);
      for (std::size_t i = 0; i < group.size(); ++i) {
        drawing.place_in_group[{view, group[i]}] = i;
      }
    }
  }
  drawing.notes += about_groups(views_of, drawing.views.in_order().size());
}

}  // namespace bloometry::report
