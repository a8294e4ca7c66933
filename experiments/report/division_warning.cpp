#include "experiments/report/division_warning.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "experiments/report/division.hpp"
#include "experiments/report/fixed_values.hpp"
#include "experiments/report/selection.hpp"

namespace bloometry::report {
namespace {

/// Returns an example of a value that the request can fix, such as " (fix num_hashes=7)". The value
/// is that of the first row on an axis with several values. If every axis has one value, returns an
/// empty string.
std::string example_of_fix(const Rows& rows, const Axis& x, const Request& request,
                           const Wording& wording) {
  constexpr std::array<std::string_view, 11> kNames = {
      "num_hashes", "churn_rounds", "churn_erase", "window_size", "target_false_positive_rate",
      "num_bits",   "capacity",     "num_keys",    "variant",     "keys",
      "hash"};
  for (const std::string_view name : kNames) {
    const Axis& fixed = axis(name);
    const bool is_used = &fixed == &x || name == request.facet;
    if (is_used || !differ_in(rows, fixed, wording)) continue;
    const std::string value = value_text(fixed, *rows.front(), wording);
    if (!value.empty()) return fmt::format(" (fix {}={})", name, value);
  }
  return "";
}

/// Returns a warning that the chart leaves out series or views which the request's own division
/// made too many.
std::string about_hidden(const SeriesChart& made, const Rows& rows, const Axis& x,
                         const Request& request, const Wording& wording) {
  if (made.num_hidden_series + made.num_hidden_views == 0) return "";
  const bool is_series = made.num_hidden_series > 0;
  return fmt::format(
      "the chart {} leaves out {} of {} {}, because it draws at most {}: use another facet or "
      "series, or fix a value{}",
      request.chart, is_series ? made.num_hidden_series : made.num_hidden_views,
      is_series ? made.num_series : made.num_views, is_series ? "series" : "views",
      is_series ? fmt::format("{} in one panel and {} in all", kMostUndividedSeries, kMostSeries)
                : fmt::format("{} of them", kMostSeriesViews),
      example_of_fix(rows, x, request, wording));
}

/// Returns a warning that the points have one value of a requested axis, so that the chart ignores
/// it.
std::string about_constant(const Rows& rows, const Request& request, const ChartInput& input) {
  for (const auto& [field, name] :
       {std::pair("series", request.series), std::pair("facet", request.facet)}) {
    const Axis* chosen = find_axis(name);
    if (chosen == nullptr || rows.empty() || differ_in(rows, *chosen, input.wording)) continue;
    if (!differ_in(all_rows(input.rows), *chosen, input.wording)) {
      return fmt::format("{} {} is ignored, because all points have one value of it", field, name);
    }
    return fmt::format("the chart {} ignores {} {}, because its points have one value of it",
                       request.chart, field, name);
  }
  return "";
}

/// Returns a warning that no series, or no view, of the requested axis has two values of x, so that
/// the chart shows single marks.
std::string about_single_marks(const chart::Chart& chart, const Axis& x, const Request& request) {
  if (x.value == nullptr) return "";
  for (const auto& [field, name] :
       {std::pair("series", request.series), std::pair("facet", request.facet)}) {
    if (find_axis(name) == nullptr) continue;
    std::map<nlohmann::json, std::set<nlohmann::json>> values;  // x by series or view
    std::set<nlohmann::json> all;
    for (const chart::PlottedPoint& point : chart.points) {
      values[point.fields.at(field)].insert(point.fields.at("x"));
      all.insert(point.fields.at("x"));
    }
    const auto is_single = [](const auto& entry) { return entry.second.size() == 1; };
    if (all.size() < 2 || !std::all_of(values.begin(), values.end(), is_single)) continue;
    return fmt::format("each {} of the chart {} has one value of {}: use another {} than {}",
                       field == std::string_view("facet") ? "panel" : field, request.chart, x.name,
                       field, name);
  }
  return "";
}

}  // namespace

std::string warning_of(const SeriesChart& made, const Rows& rows, const Axis& x,
                       const Request& request, const ChartInput& input) {
  if (request.facet.empty() && request.series.empty()) return "";
  std::string warning = about_single_marks(made.chart, x, request);
  if (warning.empty()) warning = about_hidden(made, rows, x, request, input.wording);
  return warning.empty() ? about_constant(rows, request, input) : warning;
}

}  // namespace bloometry::report
