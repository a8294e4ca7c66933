#include "experiments/report/theory_chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <map>
#include <utility>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/chart_axis.hpp"
#include "experiments/report/coinciding_curves.hpp"
#include "experiments/report/theory_lines.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

/// Calls visit(curve, rate) for every rate that a logarithmic axis can show.
template <class Visit>
void for_each_rate(const TheoryPlot& plot, Visit visit) {
  for (const TheoryCurve& curve : plot.curves) {
    for (const TheoryRate& rate : curve.rates) {
      if (rate.rate > 0) visit(curve, rate);
    }
  }
}

bool has_several(const TheoryPlot& plot) {
  return plot.curves.size() > 1;
}

std::vector<std::string> lines_of(const TheoryPlot& plot) {
  std::vector<std::string> lines;
  for_each_rate(plot, [&](const TheoryCurve&, const TheoryRate& rate) {
    if (std::find(lines.begin(), lines.end(), rate.line) == lines.end()) lines.push_back(rate.line);
  });
  return lines;
}

std::pair<double, double> x_range(const TheoryPlot& plot) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for_each_rate(plot, [&](const TheoryCurve&, const TheoryRate& rate) {
    low = std::min(low, rate.x);
    high = std::max(high, rate.x);
  });
  return {std::min(low, high), high};
}

/// Returns the lowest rate at a requested point, or 0 without such a point.
double least_requested(const TheoryPlot& plot) {
  double least = 1;
  for (const TheoryCurve& curve : plot.curves) {
    least = std::min(least, curve.requested ? curve.requested->rate : 0);
  }
  return least;
}

/// Returns the channel of rates. The range of rates extends from the smallest rate to the largest
/// rate. Rates far below the rates of the requested points are cut off.
json y_channel(const TheoryPlot& plot, const char* field) {
  constexpr double kMostBelow = 1e4;
  constexpr double kMargin = 1.2;  // factor of the space between the outer lines and the frame
  double low = 1;
  double high = 0;
  for_each_rate(plot, [&](const TheoryCurve&, const TheoryRate& rate) {
    low = std::min(low, rate.rate);
    high = std::max(high, rate.rate);
  });
  low = std::max(low, least_requested(plot) / kMostBelow);
  if (plot.target) {
    low = std::min(low, kMargin * *plot.target);
    high = std::max(high, kMargin * *plot.target);
  }
  return chart::rate_channel(field, "false-positive rate", low, std::max(low, high));
}

json x_channel(const TheoryPlot& plot) {
  const auto [low, high] = x_range(plot);
  const bool is_k = plot.against == "num_hashes";
  const bool begins_at_0 = plot.against == "num_keys" && !plot.has_log_x;
  const double first = begins_at_0 ? 0 : is_k ? low - 0.5 : low;
  json channel = {{"field", "x"},
                  {"type", "quantitative"},
                  {"title", axis(plot.against).title},
                  {"scale",
                   {{"type", plot.has_log_x ? "log" : "linear"},
                    {"nice", false},
                    {"zero", false},
                    {"domain", {first, is_k ? high + 0.5 : high}}}}};
  if (plot.has_log_x) channel["scale"].erase("zero");
  channel["axis"] =
      plot.has_log_x ? chart::log_number_axis(channel["scale"]) : chart::number_axis(high);
  if (is_k) channel["axis"]["tickMinStep"] = 1;
  return channel;
}

/// The legend entries of a channel with their colours or dashes.
struct Entries {
  json names = json::array();
  json values = json::array();

  void add(const std::string& name, const json& value) {
    names.push_back(name);
    values.push_back(value);
  }
};

json channel_of(const char* field, const json& title, const Entries& entries) {
  return {{"field", field},
          {"type", "nominal"},
          {"scale", {{"domain", entries.names}, {"range", entries.values}}},
          {"legend", {{"title", title}, {"symbolType", "stroke"}, {"symbolSize", 500}}}};
}

/// Returns the dashes of the formulas. The exact rate, the classic formula and the bound have the
/// same dashes in all theory charts. In a chart of several curves, other formulas have different
/// dashes, because the colours there distinguish filters.
Entries dashes_of(const TheoryPlot& plot, bool has_bound) {
  static const json kOthers = {{2, 3}, {5, 2, 1, 2}, {1, 1}};
  Entries entries;
  std::size_t num_others = 0;
  for (const std::string& line : lines_of(plot)) {
    if (line == kExact) {
      entries.add(line, {1, 0});
    } else if (line == kClassic) {
      entries.add(line, {7, 4});
    } else {
      entries.add(line, kOthers[has_several(plot) ? num_others++ % kOthers.size() : 0]);
    }
  }
  if (has_bound) entries.add(kBound, {10, 3, 2, 3});
  return entries;
}

/// Returns the channels of a chart of one curve, with one dash and colour per formula. A formula
/// has the same dash and colour in all theory charts.
json formula_channels(const TheoryPlot& plot, bool has_bound) {
  Entries colours;
  std::size_t num_others = 0;
  for (const std::string& line : lines_of(plot)) {
    const std::size_t i = line == kExact ? 0 : line == kClassic ? 1 : 2 + num_others++ % 4;
    colours.add(line, chart::series_colours()[i]);
  }
  if (has_bound) colours.add(kBound, "#888");
  return {{"color", channel_of("line", nullptr, colours)},
          {"strokeDash", channel_of("line", nullptr, dashes_of(plot, has_bound))}};
}

/// Returns the channels of a chart of several curves: a colour per filter and a dash per formula.
json series_channels(const TheoryPlot& plot, bool has_bound) {
  Entries colours;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    colours.add(plot.curves[i].series, chart::series_colours()[i]);
  }
  json dashes = channel_of("line", "theory", dashes_of(plot, has_bound));
  dashes["legend"]["symbolStrokeColor"] = "#666";
  return {{"color", channel_of("series", "filter", colours)}, {"strokeDash", dashes}};
}

json rule_of_target(const TheoryPlot& plot) {
  return {{"name", "target"},
          {"data", {{"values", {{{"target", *plot.target}}}}}},
          {"mark", {{"type", "rule"}, {"color", "#777"}, {"tooltip", nullptr}}},
          {"encoding", {{"y", y_channel(plot, "target")}}}};
}

/// Returns the layer with the marks of the requested points.
json marks_of_requested(const TheoryPlot& plot, const json& colour) {
  json values = json::array();
  for (const TheoryCurve& curve : plot.curves) {
    if (!curve.requested) continue;
    values.push_back(curve.requested->filter);
    values.back().update(
        json{{"x", curve.requested->x}, {"rate", curve.requested->rate}, {"series", curve.series}});
  }
  return {
      {"name", "requested"},
      {"data", {{"values", std::move(values)}}},
      {"mark", {{"type", "point"}, {"filled", true}, {"size", 70}, {"opacity", 1}}},
      {"encoding", {{"x", x_channel(plot)}, {"y", y_channel(plot, "rate")}, {"color", colour}}}};
}

/// Returns whether the information bound passes through the chart.
bool shows_bound(const TheoryPlot& plot) {
  if (plot.against != "bits_per_key") return false;
  const json lowest = y_channel(plot, "bound")["scale"]["domain"][0];
  return std::exp2(-x_range(plot).first) > lowest.get<double>();
}

/// Returns the channel of a field for a layer that shows only the information bound.
json channel_of_bound(json channel) {
  channel.erase("field");
  channel["datum"] = kBound;
  return channel;
}

/// Returns the layer of the information bound.
json bound_layer(const TheoryPlot& plot, const json& channels) {
  const auto [low, high] = x_range(plot);
  json layer = {{"name", "bound"},
                {"data", {{"values", bound_points(low, high, plot.has_log_x)}}},
                {"mark", {{"type", "line"}, {"clip", true}, {"color", "#888"}}},
                {"encoding",
                 {{"x", x_channel(plot)},
                  {"y", y_channel(plot, "bound")},
                  {"strokeDash", channel_of_bound(channels["strokeDash"])}}}};
  if (!has_several(plot)) layer["encoding"]["color"] = channel_of_bound(channels["color"]);
  return layer;
}

/// Returns a layer with a dot at each point of the lines, because k is a whole number.
json dots_of(const json& line) {
  json dots = {
      {"name", "dots"},
      {"mark", {{"type", "point"}, {"filled", true}, {"size", 24}, {"opacity", 1}, {"clip", true}}},
      {"encoding", line["encoding"]}};
  for (const char* channel : {"size", "strokeDash"}) dots["encoding"].erase(channel);
  return dots;
}

json layers_of(const TheoryPlot& plot, bool has_bound) {
  const json channels =
      has_several(plot) ? series_channels(plot, has_bound) : formula_channels(plot, has_bound);
  json line = {{"name", "lines"},
               {"mark", {{"type", "line"}, {"clip", true}}},
               {"encoding",
                {{"x", x_channel(plot)},
                 {"y", y_channel(plot, "rate")},
                 {"color", channels["color"]},
                 {"strokeDash", channels["strokeDash"]}}}};
  // Vega-Lite takes the width of a line from its size.
  line["encoding"]["size"] = {{"field", "width"}, {"type", "quantitative"}, {"scale", nullptr}};
  json layers = json::array();
  if (plot.target) layers.push_back(rule_of_target(plot));
  layers.push_back(line);
  if (plot.against == "num_hashes") layers.push_back(dots_of(line));
  if (has_bound) layers.push_back(bound_layer(plot, channels));
  const json black = {{"value", "#222"}};
  layers.push_back(marks_of_requested(plot, has_several(plot) ? channels["color"] : black));
  return layers;
}

/// Returns sentences about curves that hide others.
std::string about_hidden_curves(const std::vector<TheoryCurve>& curves) {
  std::string text;
  for (const auto& group : coinciding_curves(curves)) {
    if (group.size() < 2) continue;
    std::vector<std::string> names;
    for (const TheoryCurve* curve : group) names.push_back(curve->name);
    const std::string last = names.back();
    names.pop_back();
    text += fmt::format(" The lines of {} and {} coincide.", joined(names), last);
  }
  return text;
}

std::string about_requested(const TheoryPlot& plot) {
  const auto rate_of = [](const TheoryCurve& curve) { return rounded(curve.requested->rate, 4); };
  if (!has_several(plot)) {
    const TheoryCurve& curve = plot.curves.front();
    if (!curve.requested) return "";
    return fmt::format(" The dot is the requested point, a rate of {}.", rate_of(curve));
  }
  std::vector<std::string> rates;
  for (const TheoryCurve& curve : plot.curves) {
    if (curve.requested) rates.push_back(fmt::format("{} for {}", rate_of(curve), curve.name));
  }
  return rates.empty() ? ""
                       : fmt::format(" The dots are the requested points: rates of {}.",
                                     joined(rates, {}, "; "));
}

std::string caption_of(const TheoryPlot& plot, bool has_bound) {
  std::string caption = fmt::format("Computed from theory, not measured: {}.",
                                    joined(plot.curves, &TheoryCurve::caption, "; "));
  if (!has_several(plot) && lines_of(plot).size() > 1) {
    caption += " Where one line hides the other, the lines agree.";
  }
  caption += about_hidden_curves(plot.curves) + about_requested(plot);
  if (plot.target)
    caption += fmt::format(" The grey line is the target rate, {}.", rounded(*plot.target, 4));
  if (has_bound) {
    caption += " No structure can be below the information bound 2^-(bits per key).";
  }
  return caption + (plot.note.empty() ? "" : " " + plot.note);
}

}  // namespace

Chart theory_chart(const TheoryPlot& plot) {
  const bool has_bound = shows_bound(plot);
  const std::map<std::string, double> widths = curve_widths(plot.curves);
  Chart chart{
      .name = plot.name,
      .title = fmt::format("Expected false-positive rate against {}", axis(plot.against).title)};
  chart.caption = caption_of(plot, has_bound);
  for_each_rate(plot, [&](const TheoryCurve& curve, const TheoryRate& rate) {
    json fields = rate.filter;
    fields.update(json{{"x", rate.x},
                       {"rate", rate.rate},
                       {"line", rate.line},
                       {"series", curve.series},
                       {"width", widths.at(curve.series)}});
    chart.points.push_back({.row = std::nullopt, .fields = std::move(fields)});
  });
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart::place(chart.spec, {{"layer", layers_of(plot, has_bound)}}, {});
  return chart;
}

std::string theory_line(std::string_view formula, bool has_exact) {
  std::string name = theory_name(formula);
  return has_exact && name.ends_with("approximation") ? "" : name;
}

}  // namespace bloometry::report
