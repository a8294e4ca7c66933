#include "experiments/report/theory_chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/chart_axis.hpp"
#include "experiments/report/theory_lines.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

std::vector<std::string> lines_of(const TheoryCurve& curve) {
  std::vector<std::string> lines;
  for (const TheoryRate& rate : curve.rates) {
    if (std::find(lines.begin(), lines.end(), rate.line) == lines.end()) lines.push_back(rate.line);
  }
  return lines;
}

std::pair<double, double> x_range(const TheoryCurve& curve) {
  const auto by_x = [](const TheoryRate& a, const TheoryRate& b) { return a.x < b.x; };
  const auto [least, most] = std::minmax_element(curve.rates.begin(), curve.rates.end(), by_x);
  return {least->x, most->x};
}

/// Returns the channel of rates. The range of rates extends from the smallest rate to the largest
/// rate. Rates far below the rate of the requested point are cut off.
json y_channel(const TheoryCurve& curve, const char* field) {
  constexpr double kMostBelow = 1e4;
  constexpr double kMargin = 1.2;  // factor of the space between the outer lines and the frame
  double low = 1;
  double high = 0;
  const auto include = [&](double rate) {
    if (rate <= 0) return;
    low = std::min(low, rate);
    high = std::max(high, rate);
  };
  for (const TheoryRate& rate : curve.rates) include(rate.rate);
  if (curve.requested) low = std::max(low, curve.requested->rate / kMostBelow);
  if (curve.target) include(kMargin * *curve.target);
  return chart::rate_channel(field, "false-positive rate", low, std::max(low, high));
}

json x_channel(const TheoryCurve& curve) {
  const auto [low, high] = x_range(curve);
  const bool is_k = curve.against == "num_hashes";
  const bool begins_at_0 = curve.against == "num_keys" && !curve.has_log_x;
  const double first = begins_at_0 ? 0 : is_k ? low - 0.5 : low;
  json channel = {{"field", "x"},
                  {"type", "quantitative"},
                  {"title", axis(curve.against).title},
                  {"scale",
                   {{"type", curve.has_log_x ? "log" : "linear"},
                    {"nice", false},
                    {"zero", false},
                    {"domain", {first, is_k ? high + 0.5 : high}}}},
                  {"axis", chart::number_axis(high)}};
  if (curve.has_log_x) channel["scale"].erase("zero");
  if (is_k) channel["axis"]["tickMinStep"] = 1;
  return channel;
}

/// Returns the channels of dash and colour, with one dash and colour per line. A line has the same
/// dash and colour in all theory charts.
json line_channels(const std::vector<std::string>& lines, bool has_bound) {
  json names = json::array();
  json dashes = json::array();
  json colours = json::array();
  const auto add = [&](const std::string& name, const json& dash, const json& colour) {
    names.push_back(name);
    dashes.push_back(dash);
    colours.push_back(colour);
  };
  std::size_t num_others = 0;
  for (const std::string& name : lines) {
    if (name == kExact) {
      add(name, {1, 0}, chart::series_colours()[0]);
    } else if (name == kClassic) {
      add(name, {7, 4}, chart::series_colours()[1]);
    } else {
      add(name, {2, 3}, chart::series_colours()[2 + num_others++ % 4]);
    }
  }
  if (has_bound) add(kBound, {10, 3, 2, 3}, "#888");
  const auto channel = [&](const json& range) {
    return json{{"field", "line"},
                {"type", "nominal"},
                {"scale", {{"domain", names}, {"range", range}}},
                {"legend", {{"title", nullptr}, {"symbolType", "stroke"}, {"symbolSize", 500}}}};
  };
  return {{"color", channel(colours)}, {"strokeDash", channel(dashes)}};
}

json rule_of_target(const TheoryCurve& curve) {
  return {{"name", "target"},
          {"data", {{"values", {{{"target", *curve.target}}}}}},
          {"mark", {{"type", "rule"}, {"color", "#777"}, {"tooltip", nullptr}}},
          {"encoding", {{"y", y_channel(curve, "target")}}}};
}

json mark_of_requested(const TheoryCurve& curve) {
  return {
      {"name", "requested"},
      {"data", {{"values", {{{"x", curve.requested->x}, {"rate", curve.requested->rate}}}}}},
      {"mark", {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 1}}},
      {"encoding",
       {{"x", x_channel(curve)}, {"y", y_channel(curve, "rate")}, {"color", {{"value", "#222"}}}}}};
}

json layers_of(const TheoryCurve& curve, bool has_bound) {
  const json channels = line_channels(lines_of(curve), has_bound);
  json line = {{"name", "lines"},
               {"mark", {{"type", "line"}, {"clip", true}}},
               {"encoding",
                {{"x", x_channel(curve)},
                 {"y", y_channel(curve, "rate")},
                 {"color", channels["color"]},
                 {"strokeDash", channels["strokeDash"]}}}};
  if (curve.against == "num_hashes") line["mark"]["point"] = {{"size", 24}};
  json layers = json::array();
  if (curve.target) layers.push_back(rule_of_target(curve));
  layers.push_back(line);
  if (curve.requested) layers.push_back(mark_of_requested(curve));
  return layers;
}

std::string caption_of(const TheoryCurve& curve, bool has_bound) {
  std::string caption = fmt::format("Computed from theory, not measured: {}.", curve.filter);
  if (lines_of(curve).size() > 1) caption += " Where one line hides the other, the lines agree.";
  if (curve.requested) {
    caption += fmt::format(" The dot is the requested point, a rate of {}.",
                           rounded(curve.requested->rate, 4));
  }
  if (curve.target)
    caption += fmt::format(" The grey line is the target rate, {}.", rounded(*curve.target, 4));
  if (has_bound) {
    caption += " No structure can be below the information bound 2^-(bits per key).";
  }
  return caption + (curve.note.empty() ? "" : " " + curve.note);
}

void add_bound(Chart& chart, const TheoryCurve& curve) {
  const auto [low, high] = x_range(curve);
  for (const double c : {low, high}) {
    chart.points.push_back(
        {.row = std::nullopt, .fields = {{"x", c}, {"rate", std::exp2(-c)}, {"line", kBound}}});
  }
}

}  // namespace

Chart theory_chart(const TheoryCurve& curve) {
  const bool has_bound = curve.against == "bits_per_key";
  Chart chart{
      .name = curve.name,
      .title = fmt::format("Expected false-positive rate against {}", axis(curve.against).title)};
  chart.caption = caption_of(curve, has_bound);
  for (const TheoryRate& rate : curve.rates) {
    if (rate.rate <= 0) continue;
    chart.points.push_back(
        {.row = std::nullopt, .fields = {{"x", rate.x}, {"rate", rate.rate}, {"line", rate.line}}});
  }
  if (has_bound) add_bound(chart, curve);
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart::place(chart.spec, {{"layer", layers_of(curve, has_bound)}}, {});
  return chart;
}

std::string theory_line(std::string_view formula, bool has_exact) {
  if (formula == "exact") return kExact;
  if (formula == "classic") return kClassic;
  if (formula == "goel_gupta_upper") return "Goel-Gupta upper bound";
  std::string words(formula);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (words.ends_with("bound")) return words;
  return has_exact ? "" : words + " approximation";
}

}  // namespace bloometry::report
