#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr double kLeastCellHits = 100;  // below, chance alone moves the rate by over 20 %
constexpr std::size_t kMostViews = 100;
constexpr std::size_t kMostNumberedCells = 8;     // along n or k; more leave no room for a number
constexpr double kLargestLinearLimit = 1;         // larger errors would leave the small ones white
constexpr std::uint64_t kLeastSpreadTrials = 30;  // fewer do not show how far filters differ
constexpr double kNormal999 = 3.290526731491895;  // P(|Z| > z) = 0.001: a map has many cells

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
  const double expected = static_cast<double>(row.num_queries) * row.expected_false_positive_rate;
  return std::max(expected, static_cast<double>(row.num_false_positives)) >= kLeastCellHits;
}

/// Standard error of the mean rate: from the spread between trials, which holds both how filters
/// differ and the chance of the queries; of few trials, the sum of the two by theory (theory 9.3).
double standard_error(const SummaryRow& row) {
  const auto trials = static_cast<double>(row.num_trials);
  if (row.num_trials >= kLeastSpreadTrials && row.observed_rate_stddev) {
    return *row.observed_rate_stddev / std::sqrt(trials);
  }
  const double rate = std::max(row.observed_false_positive_rate, row.expected_false_positive_rate);
  return std::sqrt(std::pow(row.expected_rate_stddev.value_or(0), 2) / trials +
                   rate * (1 - rate) / static_cast<double>(row.num_queries));
}

std::string two_digits(double value) {
  return value < 9.95 ? rounded(value, 2) : std::to_string(std::llround(value));
}

/// "+30 %" or "×4.2" where the error is beyond its 99.9 % interval, else "±2 %", its half width.
std::string cell_number(const SummaryRow& row) {
  const double error = relative_error(row);
  const double width = kNormal999 * standard_error(row) / row.expected_false_positive_rate;
  if (std::abs(error) <= width) return "±" + two_digits(100 * width) + " %";
  if (error >= 1) return "×" + two_digits(1 + error);
  return (error > 0 ? "+" : "−") + two_digits(100 * std::abs(error)) + " %";
}

/// Does every (n, k) of a map have one size, as at a constant fill? Sizes then tell no maps apart.
bool follows_n_and_k(const Axis& size, const std::vector<const Axis*>& others, const Rows& rows,
                     const Wording& wording) {
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::string> sizes;
  return std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    const std::string label = size.label(*row, wording);
    const auto [found, is_new] = sizes.try_emplace(
        {joined_label(others, *row, wording), row->num_inserted, *row->num_hashes}, label);
    return is_new || found->second == label;
  });
}

/// What tells one map from another.
std::vector<const Axis*> view_axes(const Rows& rows, const Wording& wording) {
  constexpr std::array<std::string_view, 6> kOthers = {"variant", "params", "keys",
                                                       "hash",    "probes", "capacity"};
  constexpr std::array<std::string_view, 7> kViews = {"variant", "params", "keys",    "hash",
                                                      "probes",  "size",   "capacity"};
  const std::vector<const Axis*> others = varying(kOthers, rows, wording);
  if (follows_n_and_k(axis("size"), others, rows, wording)) return others;
  return varying(kViews, rows, wording);
}

bool has_room_for_numbers(const Rows& rows) {
  std::set<std::uint64_t> n;
  std::set<std::uint64_t> k;
  for (const SummaryRow* row : rows) {
    n.insert(row->num_inserted);
    k.insert(*row->num_hashes);
  }
  return std::max(n.size(), k.size()) <= kMostNumberedCells;
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

/// Linear in the error; logarithmic beyond 1 % where some errors are larger than 100 %.
json error_channel(double limit) {
  json error = {
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
  if (limit <= kLargestLinearLimit) return error;
  error["scale"].update({{"type", "symlog"}, {"constant", 0.01}});
  error["legend"]["values"] = {-1, -0.1, 0, 0.1, 1, 10, 100};
  return error;
}

json number_layer() {
  return {{"name", "numbers"},
          {"transform", {{{"filter", "datum.enough"}}}},
          {"mark", {{"type", "text"}, {"fontSize", 9}, {"tooltip", false}}},
          {"encoding", {{"text", {{"field", "number"}}}, {"color", {{"value", "#222"}}}}}};
}

json heatmap_view(const Rows& rows) {
  const json error = error_channel(colour_limit(rows));
  json few = cell_layer("measured_few", "!datum.enough", {{"value", "#9a9a9a"}});
  few["transform"].push_back({{"calculate", "'under 100 hits'"}, {"as", "kind"}});
  few["encoding"]["opacity"] = {{"field", "kind"},
                                {"type", "ordinal"},
                                {"scale", {{"domain", {"under 100 hits"}}, {"range", {0.45}}}},
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
                  {"title", "hash functions k"}};
  json layers = json::array({cell_layer("measured", "datum.enough", error), few});
  if (has_room_for_numbers(rows)) layers.push_back(number_layer());
  return {{"layer", layers}, {"encoding", {{"x", x}, {"y", y}}}};
}

}  // namespace

std::optional<Chart> relative_error_heatmap(const Rows& rows, const ChartInput& input) {
  Rows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), [](const SummaryRow* row) {
    return row->num_hashes && row->expected_false_positive_rate > 0;
  });
  if (!spans_grid(kept)) return std::nullopt;
  Labels views(view_axes(kept, input.wording), kept, input.wording);
  Chart chart{.name = "relative_error_heatmap",
              .title = "Relative error of the measured rate over n and k"};
  chart.caption =
      "Blue: fewer false positives than expected, orange: more. Grey cells expect under 100 hits "
      "and had no more: chance alone moves the rate by more than 20 % there.";
  if (has_room_for_numbers(kept)) {
    chart.caption +=
        " Numbers: the error (× the observed over the expected rate) where it is beyond its "
        "99.9 % interval, else ± the half width of that: an error so large could hide.";
  }
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
                                       {"relative_error", relative_error(*row)},
                                       {"number", cell_number(*row)}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, heatmap_view(kept), views.in_order());
  return chart;
}

}  // namespace bloometry::report
