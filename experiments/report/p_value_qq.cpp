#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <tuple>

#include "core/statistics/special_functions.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/row_columns.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using chart::PlottedPoint;
using nlohmann::json;

using Source = std::tuple<std::string, std::string, std::uint64_t>;

/// Returns a measure of a row's information. The measure is the smaller of the expected numbers of
/// false positives and of true negatives.
double weight(const RowVerdict& verdict) {
  const auto queries = static_cast<double>(verdict.row.num_queries);
  return std::min(verdict.expected_false_positives, queries - verdict.expected_false_positives);
}

bool is_p_value_tested(const RowVerdict& row) {
  return row.tested && row.false_positives_p_value.has_value();
}

/// Returns the tested row with the largest weight for each combination of keys, hash and trial. The
/// choice depends on the filter's state and never on the false positives, so the p-values stay
/// uniform.
std::vector<const RowVerdict*> one_per_trial(const Verdict& verdict) {
  std::map<Source, const RowVerdict*> chosen;
  for (const RowVerdict& row : verdict.rows) {
    if (!is_p_value_tested(row)) continue;
    const RowVerdict*& best = chosen[{row.row.keys, row.row.hash, row.row.trial}];
    const auto rank = [](const RowVerdict& r) { return std::pair(-weight(r), &r.row); };
    if (best == nullptr || weight(row) > weight(*best) ||
        (weight(row) == weight(*best) && *rank(row).second < *rank(*best).second)) {
      best = &row;
    }
  }
  std::vector<const RowVerdict*> rows;
  for (const auto& [source, row] : chosen) rows.push_back(row);
  return rows;
}

json qq_record(const RowVerdict& verdict, double p_value, std::size_t rank, std::size_t size) {
  const auto i = static_cast<double>(rank);
  const auto n = static_cast<double>(size);
  return {{"variant", verdict.row.variant},
          {"params", verdict.row.params},
          {"keys", verdict.row.keys},
          {"hash", verdict.row.hash},
          {"probes", verdict.row.probes},
          {"trial", verdict.row.trial},
          {"num_inserted", verdict.row.num_inserted},
          {"num_bits", verdict.row.num_bits},
          {"num_queries", verdict.row.num_queries},
          {"num_false_positives", verdict.row.num_false_positives},
          {"expected_false_positives", verdict.expected_false_positives},
          {"p_value", std::max(p_value, 1e-300)},
          {"uniform", (i - 0.5) / n},
          {"band_lower", statistics::beta_quantile(i, n + 1 - i, 0.025)},
          {"band_upper", statistics::beta_quantile(i, n + 1 - i, 0.975)}};
}

std::vector<PlottedPoint> qq_points(std::vector<const RowVerdict*> rows) {
  std::sort(rows.begin(), rows.end(), [](const RowVerdict* a, const RowVerdict* b) {
    return std::tie(*a->false_positives_p_value, a->row) <
           std::tie(*b->false_positives_p_value, b->row);
  });
  std::vector<PlottedPoint> points;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    points.push_back(
        {.row = {},
         .fields = qq_record(*rows[i], *rows[i]->false_positives_p_value, i + 1, rows.size())});
    for_each_churn_column(rows[i]->context.churn, [&](const char* name, auto value) {
      points.back().fields[name] = value;
    });
    if (rows[i]->context.window) {
      for_each_window_column(rows[i]->context.window, [&](const char* name, auto value) {
        points.back().fields[name] = value;
      });
    }
    if (rows[i]->context.stream) {
      for_each_stream_column(rows[i]->context.stream, [&](const char* name, auto value) {
        points.back().fields[name] = value;
      });
    }
  }
  return points;
}

json p_axis(const char* field, const char* title, double low) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", "log"}, {"domain", {low, 1}}, {"nice", false}}},
          {"axis", {{"format", "~g"}, {"tickCount", 6}}}};
}

json qq_layers(const std::vector<PlottedPoint>& points) {
  double low = 1;
  for (const PlottedPoint& point : points) {
    for (const char* field : {"p_value", "uniform"}) {
      low = std::min(low, point.fields[field].get<double>());
    }
  }
  low /= 2;
  const json x = p_axis("uniform", "p-value of that rank in a correct run", low);
  const auto y = [&](const char* field) {
    return p_axis(field, "p-value of the false positives", low);
  };
  json diagonal_x = x;
  diagonal_x["field"] = "x";
  const json tooltip = json::parse(R"j([
    {"field": "p_value", "type": "quantitative", "format": ".4~g", "title": "p-value of the false positives"},
    {"field": "variant", "title": "variant"}, {"field": "keys", "title": "keys"},
    {"field": "trial", "type": "quantitative", "format": "d", "title": "trial"},
    {"field": "num_inserted", "type": "quantitative", "format": ",", "title": "keys inserted n"},
    {"field": "num_false_positives", "type": "quantitative", "format": ",", "title": "false positives"},
    {"field": "expected_false_positives", "type": "quantitative", "format": ",.1f", "title": "expected false positives"}
  ])j");
  return json::array(
      {{{"name", "band"},
        {"mark", {{"type", "area"}, {"color", "#888"}, {"opacity", 0.25}, {"clip", true}}},
        {"encoding", {{"x", x}, {"y", y("band_lower")}, {"y2", {{"field", "band_upper"}}}}}},
       {{"name", "diagonal"},
        {"data", {{"values", {{{"x", low}}, {{"x", 1}}}}}},
        {"mark", {{"type", "line"}, {"color", "#777"}}},
        {"encoding", {{"x", diagonal_x}, {"y", y("x")}}}},
       {{"name", "measured"},
        {"mark",
         {{"type", "point"},
          {"color", chart::series_colours()[0]},
          {"filled", false},
          {"size", 34},
          {"opacity", 1},
          {"cursor", "pointer"}}},
        {"encoding",
         {{"x", x},
          {"y", y("p_value")},
          {"strokeWidth", chart::picked_width()},
          {"tooltip", tooltip}}}}});
}

}  // namespace

std::optional<Chart> p_value_qq(const Verdict& verdict, std::size_t at_least) {
  const std::vector<const RowVerdict*> rows = one_per_trial(verdict);
  if (rows.empty() || rows.size() < at_least) return std::nullopt;
  Chart chart{.name = "p_value_qq", .title = "Are the p-values uniformly distributed?"};
  chart.caption = fmt::format(
      "Sorted p-values of the test of false positives, one point for each of {} independent trials "
      "(points of one trial share keys and queries). The p-values of a correct run follow the "
      "diagonal; each lies in the grey band with probability 95 %.",
      grouped(rows.size()));
  const auto num_untested = static_cast<std::size_t>(
      std::count_if(verdict.rows.begin(), verdict.rows.end(),
                    [](const RowVerdict& row) { return !is_p_value_tested(row); }));
  const std::size_t num_sharing = verdict.rows.size() - num_untested - rows.size();
  chart.caption +=
      account_of(verdict.rows.size(),
                 {{"of trials.csv that share keys, hash and trial with a drawn row", num_sharing},
                  {"without a test of false positives", num_untested}},
                 "row");
  chart.points = qq_points(rows);
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec.update({{"width", 420}, {"height", 420}, {"layer", qq_layers(chart.points)}});
  return chart;
}

}  // namespace bloometry::report
