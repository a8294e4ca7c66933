#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "experiments/report/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

constexpr double kLeastCellHits = 100;  // below, chance alone moves the rate by over 20 %
constexpr std::size_t kMostViews = 100;

/// Rows that share everything but n and k, so that they fill one map.
bool spans_grid(const Rows& rows) {
  std::set<std::uint64_t> n;
  std::set<std::uint64_t> k;
  for (const SummaryRow* row : rows) {
    n.insert(row->num_inserted);
    k.insert(*row->num_hashes);
  }
  return n.size() > 1 && k.size() > 1;
}

double relative_error(const SummaryRow& row) {
  return row.observed_false_positive_rate / row.expected_false_positive_rate - 1;
}

bool has_enough_hits(const SummaryRow& row) {
  return static_cast<double>(row.num_queries) * row.expected_false_positive_rate >= kLeastCellHits;
}

/// The errors' range, rounded up to 1, 2 or 5 times a power of ten, so that +-x reads well.
double colour_limit(const Rows& rows) {
  double largest = 0.005;
  for (const SummaryRow* row : rows) {
    if (has_enough_hits(*row)) largest = std::max(largest, std::abs(relative_error(*row)));
  }
  const double power = std::pow(10.0, std::floor(std::log10(largest)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (largest <= step * power) return step * power;
  }
  return 10 * power;
}

json cell_layer(const char* name, const char* filter, json colour) {
  return {{"name", name},
          {"transform", {{{"filter", filter}}}},
          {"mark", {{"type", "rect"}, {"stroke", "#8884"}, {"cursor", "pointer"}}},
          {"encoding",
           {{"color", std::move(colour)},
            {"strokeWidth",
             {{"condition", {{"test", "datum.id === picked"}, {"value", 4}}}, {"value", 0.5}}},
            {"tooltip", row_tooltip()}}}};
}

json heatmap_view(const Rows& rows) {
  const double limit = colour_limit(rows);
  const json error = {
      {"field", "relative_error"},
      {"type", "quantitative"},
      {"scale",
       {{"domain", {-limit, 0, limit}},
        {"range", {"#0072B2", "#F4F1EA", "#D55E00"}},
        {"interpolate", "lab"},
        {"clamp", true}}},
      {"legend",
       {{"title", "observed / expected − 1"},
        {"labelExpr",
         "datum.value == 0 ? 'as expected' : format(100 * datum.value, '+.2~f') + ' %'"}}}};
  json few = cell_layer("measured_few", "!datum.enough", {{"value", "#9a9a9a"}});
  few["transform"].push_back({{"calculate", "'under 100 hits expected'"}, {"as", "kind"}});
  few["encoding"]["opacity"] = {
      {"field", "kind"},
      {"type", "ordinal"},
      {"scale", {{"domain", {"under 100 hits expected"}}, {"range", {0.45}}}},
      {"legend",
       {{"title", nullptr},
        {"symbolType", "square"},
        {"symbolFillColor", "#9a9a9a"},
        {"symbolStrokeWidth", 0},
        {"symbolSize", 140}}}};
  const json x = {{"field", "num_inserted"},
                  {"type", "ordinal"},
                  {"title", "keys inserted n"},
                  {"axis", {{"labelExpr", "format(datum.value, '~s')"}, {"labelAngle", -45}}}};
  const json y = {{"field", "num_hashes"},
                  {"type", "ordinal"},
                  {"sort", "descending"},
                  {"title", "num_hashes k"}};
  return {{"layer", json::array({cell_layer("measured", "datum.enough", error), few})},
          {"encoding", {{"x", x}, {"y", y}}}};
}

}  // namespace

std::optional<Chart> relative_error_heatmap(const Rows& rows, const ChartInput& input) {
  Rows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), [](const SummaryRow* row) {
    return row->num_hashes && row->expected_false_positive_rate > 0;
  });
  if (!spans_grid(kept)) return std::nullopt;
  constexpr std::array<std::string_view, 7> kViews = {"variant", "params", "keys",    "hash",
                                                      "probes",  "size",   "capacity"};
  Labels views(varying(kViews, kept, input.wording), kept, input.wording);
  Chart chart{.name = "relative_error_heatmap",
              .title = "Relative error of the measured rate over n and k"};
  chart.caption =
      "Blue: fewer false positives than expected, orange: more. Grey cells expect under 100 hits, "
      "where chance alone moves the rate by more than 20 %.";
  const std::size_t forgotten = views.thin_out(kMostViews);
  if (forgotten > 0) {
    chart.caption += " Left out: " + std::to_string(forgotten) +
                     " maps, spread evenly; all of them are in summary.csv.";
  }
  std::erase_if(kept, [&](const SummaryRow* row) { return !views.contains(*row); });
  for (const SummaryRow* row : kept) {
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"facet", views.of(*row)},
                                       {"enough", has_enough_hits(*row)},
                                       {"relative_error", relative_error(*row)}}});
  }
  chart.spec = base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  place(chart.spec, heatmap_view(kept), views.in_order());
  return chart;
}

}  // namespace bloometry::report
