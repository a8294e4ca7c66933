#include "experiments/plan/axis_conflicts.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "core/text.hpp"

namespace bloometry {
namespace {

bool is_n(std::string_view axis) {
  return axis == "num_keys" || axis == "num_inserted";
}

/// Returns the axis of series, which one chart has without a request.
std::string_view series_of(const ChartRequest& request) {
  if (request.series.empty() && request.chart == "rate_vs_n_by_num_hashes") return "num_hashes";
  return request.series;
}

}  // namespace

bool is_same_axis(std::string_view a, std::string_view b) {
  return a == b || (is_n(a) && is_n(b));
}

std::string_view x_axis_of(const ChartRequest& request) {
  static const std::map<std::string_view, std::string_view> kAxes = {
      {"rate_vs_bits_per_key", "bits_per_key"},
      {"pareto", "bits_per_key"},
      {"rate_vs_n_over_capacity", "n_over_capacity"},
      {"rate_vs_n", "num_inserted"},
      {"rate_vs_n_by_num_hashes", "num_inserted"},
      {"memory_vs_n", "num_inserted"},
      {"rate_vs_num_hashes", "num_hashes"}};
  if (request.chart == "rate_vs_theory") return request.x;
  if (request.chart == "fill" && request.x == "num_hashes") return request.x;
  const auto found = kAxes.find(request.chart);
  return found == kAxes.end() ? std::string_view() : found->second;
}

std::vector<AxisConflict> axis_conflicts(
    const ChartRequest& request, std::string_view x,
    const std::function<bool(std::string_view, std::string_view)>& is_same) {
  std::vector<AxisConflict> conflicts;
  const auto check = [&](const char* field, std::string_view axis, std::string_view other,
                         const char* use) {
    if (axis.empty() || other.empty() || axis == kNoFacet || !is_same(axis, other)) return;
    conflicts.push_back(
        {request.chart, field, std::string(axis), std::string(other), std::string(use)});
  };
  check("series", request.series, x, "the x axis");
  check("facet", request.facet, x, "the x axis");
  check("facet", request.facet, series_of(request), "the axis of series");
  for (const auto& [name, value] : request.fix) check("fix", name, x, "the x axis");
  return conflicts;
}

std::string conflict_text(std::span<const AxisConflict> conflicts, char quote) {
  std::vector<std::string> allowed;
  for (const std::string_view name : kChartAxisNames) {
    const bool is_taken =
        std::any_of(conflicts.begin(), conflicts.end(), [&](const AxisConflict& conflict) {
          return is_same_axis(name, conflict.other) || is_same_axis(name, conflict.axis);
        });
    if (!is_taken) allowed.emplace_back(name);
  }
  std::map<std::string, std::vector<std::string>> charts;  // by use
  for (const AxisConflict& conflict : conflicts) {
    charts[fmt::format("{} is {} of", conflict.other, conflict.use)].push_back(conflict.chart);
  }
  std::string reasons;
  for (const auto& [use, names] : charts) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : " and ", use, joined(names));
  }
  return fmt::format("must be one of {}, because {}, got {}{}{}", joined(allowed), reasons, quote,
                     conflicts.front().axis, quote);
}

}  // namespace bloometry
