#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>
#include <set>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_marks.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/num_hashes_places.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr std::uint64_t kLeastFalsePositives =
    10;  // fewer false positives do not determine the order of two filters

/// Keeps the points with less memory than M. M is the memory of the smallest point with fewer than
/// kLeastFalsePositives false positives. Above M a filter could look best only because competing
/// points are missing. Returns M in bits per key if the function has dropped a point.
std::optional<double> keep_counted(RowSelection& selection) {
  std::optional<double> first;
  for (const SummaryRow* row : selection.rows()) {
    if (row->num_false_positives >= kLeastFalsePositives) continue;
    first = std::min(first.value_or(*bits_per_key(*row)), *bits_per_key(*row));
  }
  if (!first) return first;
  selection.leave_out_if([&](const SummaryRow& row) { return *bits_per_key(row) >= *first; },
                         "of these sizes");
  return first;
}

/// The result of comparing a filter with all filters that have at most as many bits per key.
enum class Standing {
  kBeaten,     ///< another filter is ahead, and the intervals do not overlap
  kUndecided,  ///< another filter is ahead, but the intervals overlap, or its memory is larger only
               ///< by rounding
  kOnFront,    ///< no other filter is ahead
};

/// The texts and the fill of a mark. Marks on the front are drawn last, so that other marks do not
/// hide the front.
struct StandingMark {
  Standing standing;
  const char* layer;
  const char* label;
  bool is_filled;
  double fill_opacity;
};

constexpr StandingMark kMarks[] = {
    {Standing::kBeaten, "measured_beaten", "beaten", false, 1},
    {Standing::kUndecided, "measured_undecided", "may be on the front", true, 0.3},
    {Standing::kOnFront, "measured", "on the front", true, 1}};

const char* label_of(Standing standing) {
  return kMarks[static_cast<std::size_t>(standing)].label;
}

/// Returns whether two filters have the same requested size and differ in memory only because `a`
/// rounds it up to more, as to whole blocks.
bool is_rounded_up(const SummaryRow& a, const SummaryRow& b) {
  return a.requested_bits_per_key && a.requested_bits_per_key == b.requested_bits_per_key &&
         *bits_per_key(a) > *bits_per_key(b);
}

/// Returns whether `a` has a lower measured rate than `b` and more memory only by rounding.
bool is_ahead_by_rounding(const SummaryRow& a, const SummaryRow& b) {
  return is_rounded_up(a, b) && a.observed_false_positive_rate < b.observed_false_positive_rate;
}

/// Returns whether `a` has a lower measured rate than `b` with at most as many bits per key, or the
/// same rate with fewer.
bool is_ahead(const SummaryRow& a, const SummaryRow& b) {
  const double more_bits = *bits_per_key(b) - *bits_per_key(a);
  return a.observed_false_positive_rate == b.observed_false_positive_rate
             ? more_bits > 0
             : more_bits >= 0 && a.observed_false_positive_rate < b.observed_false_positive_rate;
}

using RowsOfView = std::map<std::string, Rows>;

RowsOfView rows_of_views(const Rows& rows, const Labels& views) {
  RowsOfView rows_of_view;
  for (const SummaryRow* row : rows) rows_of_view[views.of(*row)].push_back(row);
  return rows_of_view;
}

Standing standing_of(const SummaryRow& row, const Rows& others) {
  Standing standing = Standing::kOnFront;
  for (const SummaryRow* other : others) {
    if (is_ahead_by_rounding(*other, row)) standing = Standing::kUndecided;
    if (!is_ahead(*other, row)) continue;
    if (other->interval_upper < row.interval_lower) return Standing::kBeaten;
    standing = Standing::kUndecided;
  }
  return standing;
}

/// Returns a rate for each point of a view: the lowest measured rate of all points that do not need
/// more memory.
std::map<const SummaryRow*, double> least_rates(const RowsOfView& rows_of_view) {
  std::map<const SummaryRow*, double> least_rate_of;
  for (const auto& [view, rows] : rows_of_view) {
    for (const SummaryRow* row : rows) {
      double& least = least_rate_of[row] = row->observed_false_positive_rate;
      for (const SummaryRow* other : rows) {
        if (is_ahead(*other, *row)) least = std::min(least, other->observed_false_positive_rate);
      }
    }
  }
  return least_rate_of;
}

std::pair<double, double> drawn_range(const Rows& rows) {
  constexpr double kMargin = 1.2;  // factor of the space for marks at the edges
  double low = 1;
  double high = 0;
  for (const SummaryRow* row : rows) {
    low = std::min(low, least_drawn_rate(*row) / kMargin);
    high = std::max(high, std::min(1.0, row->interval_upper * kMargin));
  }
  return {low, std::max(low, high)};
}

json front_layer(json y) {
  y["field"] = "least_rate";
  return {{"name", "front"},
          {"mark",
           {{"type", "line"},
            {"interpolate", "step-after"},
            {"strokeWidth", 1.5},
            {"tooltip", nullptr}}},
          {"encoding",
           {{"y", std::move(y)},
            {"color", {{"value", "#999"}}},
            {"opacity", chart::named_marks("least rate measured", {{"symbolType", "stroke"},
                                                                   {"symbolStrokeColor", "#999"}})},
            {"order", {{"field", "x"}}}}}};
}

json interval_layer(const json& range_y) {
  json y = range_y;
  y["field"] = "interval_lower";
  return {{"name", "interval"},
          {"transform", interval_transforms(y["scale"])},
          {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.2}}},
          {"encoding", {{"y", y}, {"y2", {{"field", "interval_upper"}}}}}};
}

json points_layer(const StandingMark& mark, const json& y, const json& shape) {
  const json symbol = {
      {"symbolType", "circle"},
      {"symbolStrokeColor", "#666"},
      {"symbolFillColor",
       mark.is_filled ? chart::lightened("#666666", 1 - mark.fill_opacity) : "transparent"}};
  return {{"name", mark.layer},
          {"transform", {{{"filter", fmt::format("datum.standing == '{}'", mark.label)}}}},
          {"mark",
           {{"type", "point"},
            {"filled", mark.is_filled},
            {"fillOpacity", mark.fill_opacity},
            {"size", {{"expr", "datum.mark_size"}}},
            {"cursor", "pointer"}}},
          {"encoding",
           {{"y", y},
            {"shape", shape},
            {"order", largest_first()},
            {"opacity", chart::named_marks(mark.label, symbol)},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

json y_channel(const Rows& rows) {
  const auto [low, high] = drawn_range(rows);
  return chart::rate_channel("rate", "false-positive rate", low, high);
}

using Standings = std::map<const SummaryRow*, Standing>;

/// Returns the sizes of marks that cover one another, such as 8, or 8/8.003 in the order of their
/// names.
std::string sizes_text(const std::vector<double>& sizes) {
  const std::vector<double> each(
      sizes.begin(),
      std::equal(sizes.begin() + 1, sizes.end(), sizes.begin()) ? sizes.begin() + 1 : sizes.end());
  return joined(
      each, [](double size) { return rounded(size, 4); }, "/");
}

/// The marks that cover one another.
class HiddenMarks {
 public:
  HiddenMarks(const RowsOfView& rows_of_view, const Standings& standings, const Rows& all)
      : x_scale_(x_channel(axis("bits_per_key"), all)["scale"]),
        y_scale_(y_channel(all)["scale"]),
        size_(chart::view_size(rows_of_view.size())) {
    for (const auto& [view, rows] : rows_of_view) add_view(rows, standings);
  }

  /// Returns the size of the mark in square px.
  [[nodiscard]] int mark_size(const SummaryRow& row) const {
    constexpr int kSmallest = 60;
    return kSmallest * mark_size_factor(places_.at(&row));
  }

  /// Returns a sentence that names the series of marks that cover one another.
  [[nodiscard]] std::string caption(const Labels& series) const {
    constexpr std::size_t kMostNamed = 6;
    std::map<std::vector<std::string>, std::set<std::vector<double>>> sizes_of;  // by names
    for (const Rows& group : groups_) {
      std::vector<std::string> names;
      std::vector<double> sizes;
      for (const SummaryRow* row : group) {
        names.push_back(series.of(*row));
        sizes.push_back(*bits_per_key(*row));
      }
      sizes_of[names].insert(std::move(sizes));
    }
    std::vector<std::string> texts;
    for (const auto& [names, sizes] : sizes_of) {
      texts.push_back(
          fmt::format("{} at {} bits per key", quoted(names), joined(sizes, sizes_text)));
    }
    if (texts.empty()) return "";
    const std::size_t num_more = texts.size() - std::min(texts.size(), kMostNamed);
    texts.resize(texts.size() - num_more);
    if (num_more > 0) texts.push_back(plural(num_more, "more group"));
    return fmt::format(" Marks that coincide have different sizes, the first one the smallest: {}.",
                       joined(texts, {}, "; "));
  }

 private:
  void add_view(const Rows& rows, const Standings& standings) {
    std::vector<MarkPosition> marks;
    for (const SummaryRow* row : rows) {
      marks.push_back(
          {.x = size_.width * chart::share_of(x_scale_, *bits_per_key(*row)),
           .y = size_.height * chart::share_of(y_scale_, row->observed_false_positive_rate),
           .layer = static_cast<int>(standings.at(row))});
    }
    const std::vector<std::size_t> places = places_of_marks(marks);
    for (std::size_t i = 0; i < rows.size(); ++i) places_[rows[i]] = places[i];
    for (const std::vector<std::size_t>& group : coinciding_marks(marks)) {
      groups_.emplace_back();
      for (const std::size_t i : group) groups_.back().push_back(rows[i]);
    }
  }

  json x_scale_;
  json y_scale_;
  chart::ViewSize size_;
  std::map<const SummaryRow*, std::size_t> places_{};
  std::vector<Rows> groups_{};
};

json view_of(const Rows& rows, const Standings& standings, const Labels& series,
             const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  const json y = y_channel(rows);
  json layers = {front_layer(y), interval_layer(y)};
  add_cut_marks(rows, "y", layers);
  for (const StandingMark& mark : kMarks) {
    const bool is_drawn = std::any_of(standings.begin(), standings.end(), [&](const auto& entry) {
      return entry.second == mark.standing;
    });
    if (is_drawn) layers.push_back(points_layer(mark, y, channels["shape"]));
  }
  const json x = x_channel(axis("bits_per_key"), rows);
  return {{"layer", layers},
          {"encoding", {{"x", x}, {"color", channels["color"]}}},
          {"resolve", {{"scale", {{"opacity", "independent"}}}}}};
}

bool is_comparable(const Rows& rows) {
  std::set<std::string> variants;
  std::set<double> sizes;
  for (const SummaryRow* row : rows) {
    variants.insert(row->variant);
    sizes.insert(
        row->requested_bits_per_key.value_or(*bits_per_key(*row)));  // blocks round 8 to 8.003
  }
  return variants.size() >= 2 && sizes.size() >= 3;
}

std::vector<const Axis*> view_axes(const SeriesRequest& request, const Rows& rows,
                                   const ChartInput& input) {
  if (!request.facet.empty()) return {&axis(request.facet)};
  if (request.has_one_view) return {};
  constexpr std::array<std::string_view, 1> kViews = {"keys"};
  return varying(kViews, rows, input.wording);
}

/// The number of keys and the capacity, which must be equal for a comparison of filters.
using Load = std::pair<std::uint64_t, std::uint64_t>;

Load load_of(const SummaryRow& row) {
  return {row.num_inserted, row.capacity.value_or(row.num_inserted)};
}

bool is_divided_by_n(const SeriesRequest& request) {
  return request.facet == "num_inserted" || request.facet == "num_keys" ||
         request.facet == "capacity";
}

/// Returns the rows with the largest number of keys at which filters can be compared. With few
/// keys, the rounding to whole blocks would dominate the comparison.
Rows of_one_load(const Rows& rows) {
  std::map<Load, Rows> rows_of_load;
  for (const SummaryRow* row : rows) rows_of_load[load_of(*row)].push_back(row);
  for (auto found = rows_of_load.rbegin(); found != rows_of_load.rend(); ++found) {
    if (is_comparable(found->second)) return found->second;
  }
  return {};
}

/// Returns a sentence if rounding decides that a mark is not beaten.
std::string about_rounding(const RowsOfView& rows_of_view) {
  for (const auto& [view, rows] : rows_of_view) {
    for (const SummaryRow* row : rows) {
      if (std::any_of(rows.begin(), rows.end(), [row = row](const SummaryRow* other) {
            return is_ahead_by_rounding(*other, *row);
          })) {
        return " A mark is also pale if a filter of the same requested size has a lower rate and "
               "more memory only because it rounds its memory up, as to whole blocks.";
      }
    }
  }
  return "";
}

/// Returns the sentence that states the k of each mark if a series has several.
std::string about_num_hashes(const Rows& rows, const Labels& series) {
  std::vector<KMark> marks;
  for (const SummaryRow* row : rows) {
    const double x = *bits_per_key(*row);
    if (row->num_hashes) marks.push_back({series.of(*row), x, rounded(x, 4), *row->num_hashes});
  }
  const auto text = num_hashes_by_place(marks, PlaceText::kRanges);
  return text ? fmt::format(" The {} bits per key.", *text) : "";
}

std::string caption_of(std::optional<double> first_left_out) {
  std::string caption =
      "The grey steps are the lowest rate measured with at most this memory. Filled marks lie on "
      "the steps and form the front. For each hollow mark, another filter has a lower rate with at "
      "most as many bits per key. If the 95 % intervals of the two rates overlap, or if the rates "
      "are equal and the other filter has fewer bits, the mark is pale and may be on the front.";
  if (first_left_out) {
    caption += fmt::format(
        " Sizes from {} bits per key on are left out, because a filter had fewer than {} false "
        "positives there.",
        rounded(*first_left_out, 4), grouped(kLeastFalsePositives));
  }
  return caption;
}

}  // namespace

std::optional<Chart> pareto(const SeriesRequest& request, RowSelection selection,
                            const ChartInput& input) {
  leave_out_zero_rates(selection);
  selection.leave_out_if([](const SummaryRow& row) { return !bits_per_key(row); }, "without keys");
  if (!is_divided_by_n(request)) selection.keep(of_one_load(selection.rows()), kOtherNumKeysReason);
  const std::optional<double> first_left_out = keep_counted(selection);
  const Rows& kept = selection.rows();
  if (!is_comparable(kept)) return std::nullopt;
  const std::vector<const Axis*> apart = view_axes(request, kept, input);
  std::vector<const Axis*> together = series_axes(request.axes, kept, input.wording);
  for (const Axis* axis : apart) std::erase(together, axis);
  const Labels series(together, kept, input.wording);
  const Labels views(apart, kept, input.wording);
  const RowsOfView rows_of_view = rows_of_views(kept, views);
  const std::map<const SummaryRow*, double> least_rate_of = least_rates(rows_of_view);
  Standings standings;
  for (const SummaryRow* row : kept) {
    standings[row] = standing_of(*row, rows_of_view.at(views.of(*row)));
  }
  const HiddenMarks hidden(rows_of_view, standings, kept);
  Chart chart{.name = request.name, .title = request.title};
  chart.caption = caption_of(first_left_out) + about_rounding(rows_of_view) +
                  hidden.caption(series) + about_num_hashes(kept, series) +
                  about_cut_intervals(kept, y_channel(kept)["scale"]) +
                  about_repeated_queries(kept) + request.caption + selection.caption();
  for (const SummaryRow* row : kept) {
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"x", *bits_per_key(*row)},
                                       {"rate", row->observed_false_positive_rate},
                                       {"least_rate", least_rate_of.at(row)},
                                       {"series", series.of(*row)},
                                       {"facet", views.of(*row)},
                                       {"mark_size", hidden.mark_size(*row)},
                                       {"standing", label_of(standings.at(row))}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, view_of(kept, standings, series, input), views.in_order());
  return chart;
}

}  // namespace bloometry::report
