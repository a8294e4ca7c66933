#include "experiments/report/requested_charts.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "experiments/plan/axis_conflicts.hpp"

namespace bloometry::report {
namespace {

std::vector<Request> standard_requests(std::size_t num_rows) {
  std::vector<Request> requests;
  constexpr std::size_t kMostNamedPoints = 12;  // with more points, a scatter plot is drawn
  const std::string_view unfit = num_rows <= kMostNamedPoints ? "rate_vs_theory" : "rate_by_point";
  for (const std::string_view name : kChartNames) {
    if (name == unfit) continue;
    requests.push_back({{.chart = std::string(name), .x = {}, .facet = {}}, true});
  }
  return requests;
}

/// Returns requests for the charts with the given names. Each request keeps the settings of its
/// chart in the config.
std::vector<Request> chosen_requests(const Config& config, const std::vector<std::string>& names) {
  std::vector<Request> requests;
  for (const std::string& name : names) {
    const std::size_t num_before = requests.size();
    for (const ChartRequest& request : config.charts) {
      if (request.chart == name) requests.push_back({request, false});
    }
    if (requests.size() == num_before) requests.push_back({{.chart = name, .x = {}, .facet = {}}});
  }
  return requests;
}

/// Adds the chart of query times, unless the requests already contain this chart.
void add_speed(std::vector<Request>& requests) {
  const auto is_speed = [](const Request& request) { return request.chart == "ns_vs_rate"; };
  if (std::any_of(requests.begin(), requests.end(), is_speed)) return;
  requests.push_back({{.chart = "ns_vs_rate", .x = {}, .facet = {}}});
}

}  // namespace

std::vector<Request> requested_charts(const Config& config, std::size_t num_rows,
                                      const ChartChoices& choices) {
  std::vector<Request> requests;
  if (!choices.names.empty()) {
    requests = chosen_requests(config, choices.names);
  } else if (config.charts.empty()) {
    requests = standard_requests(num_rows);
  } else {
    for (const ChartRequest& request : config.charts) requests.push_back({request, false});
  }
  if (!choices.bench.times.empty()) add_speed(requests);
  for (Request& request : requests) {
    if (!choices.facet.empty()) request.facet = choices.facet;
    if (!choices.series.empty()) request.series = choices.series;
    // A choice replaces the setting of the config for the same axis.
    const bool are_same = is_same_axis(request.facet, request.series);
    if (choices.facet.empty() && are_same) request.facet.clear();
    if (choices.series.empty() && are_same) request.series.clear();
    for (const auto& [axis, value] : choices.fix) request.fix[axis] = value;
  }
  return requests;
}

}  // namespace bloometry::report
