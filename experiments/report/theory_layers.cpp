#include "experiments/report/theory_layers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_lines.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/target_lines.hpp"
#include "experiments/report/theory_lines.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

constexpr const char* kSharedColour = "#666";

json dash_channel(const Drawing& drawing, json source) {
  source["scale"] = dash_scale(drawing.lines);
  source["type"] = "nominal";
  source["legend"] = {{"title", "theory"},
                      {"symbolType", "stroke"},
                      {"symbolSize", 500},
                      {"symbolStrokeColor", kSharedColour}};
  return source;
}

/// Returns a layer of straight lines between the values of theory. A smooth curve through few
/// points would suggest values that are not from a formula.
json line_layer(const Drawing& drawing, const std::string& name, const std::string& field,
                const std::string& filter, const json& dash) {
  json layer = {{"name", name},
                {"transform", {{{"filter", filter}}}},
                {"mark", {{"type", "line"}, {"clip", true}}},
                {"encoding",
                 {{"y", quantity_channel(drawing, field)},
                  {"strokeDash", dash_channel(drawing, dash)},
                  {"strokeWidth", {{"value", name == "exact" ? 1.6 : 1.3}}}}}};
  return layer;
}

/// Adds the lines of one series each, and those that several series share.
void add_lines(const Drawing& drawing, const std::string& name, const std::string& field,
               const std::string& filter, const json& dash, json& layers) {
  const std::string shared = name == "classic" ? "datum.shared_classic" : "datum.shared_theory";
  layers.push_back(
      line_layer(drawing, name, field, fmt::format("{} && !isValid({})", filter, shared), dash));
  if (drawing.shared_lines.empty()) return;
  json grey = layers.back();
  grey["name"] = name + "_shared";
  grey["transform"] = {{{"filter", fmt::format("{} && {}", filter, shared)}}};
  grey["encoding"]["color"] = {{"value", kSharedColour}};
  grey["encoding"]["detail"] = {{"field", "series"}, {"type", "nominal"}};
  layers.push_back(std::move(grey));
}

/// Returns a layer that connects the marks of filters that grow, because theory does not predict
/// their fill.
json joining_layer(const Drawing& drawing) {
  return {{"name", "joined"},
          {"transform", {{{"filter", "!isValid(datum.expected_fill_ratio)"}}}},
          {"mark", {{"type", "line"}, {"strokeWidth", 1}, {"opacity", 0.5}}},
          {"encoding", {{"y", quantity_channel(drawing, "observed_fill_ratio")}}}};
}

/// Returns a layer of short horizontal strokes for theory, because a line through one point is
/// invisible.
json stroke_layer(const Drawing& drawing, const std::string& field) {
  return {{"name", "expected"},
          {"transform", {{{"filter", fmt::format("datum.alone && datum['{}'] > 0", field)}}}},
          {"mark",
           {{"type", "point"},
            {"shape", "stroke"},
            {"size", 500},
            {"strokeWidth", 1.6},
            {"opacity", 1},
            {"clip", true},
            {"tooltip", "expected by theory"}}},
          {"encoding", {{"y", quantity_channel(drawing, field)}}}};
}

bool has_log_x(const Drawing& drawing) {
  return has_log_scale(*drawing.request.x, drawing.rows());
}

/// Returns the range of bits per key in which the information bound is drawn.
std::pair<double, double> bound_ends(const Drawing& drawing) {
  double low = 1e300;
  double high = 0;
  for (const SummaryRow* row : drawing.rows()) {
    low = std::min(low, bits_per_key(*row).value_or(low));
    high = std::max(high, bits_per_key(*row).value_or(high));
  }
  return {has_log_x(drawing) ? low : std::max(0.0, low - 1), high};
}

json bound_layer(const Drawing& drawing) {
  const auto [low, high] = bound_ends(drawing);
  json layer = line_layer(drawing, "bound", "bound", "datum.bound > 0", {{"datum", kBound}});
  layer["data"] = {{"values", bound_points(low, high, has_log_x(drawing))}};
  layer["encoding"]["color"] = {{"value", "#888"}};
  return layer;
}

json band_layer(const Drawing& drawing) {
  const json y = quantity_channel(drawing, "band_lower");
  json layer = {{"name", "band"},
                {"transform", band_transforms(y["scale"])},
                {"mark", {{"type", "area"}, {"clip", true}, {"opacity", 0.25}}},
                {"encoding",
                 {{"y", y},
                  {"y2", {{"field", "band_upper"}}},
                  {"color", {{"value", "#888"}}},
                  {"detail", {{"field", "series"}, {"type", "nominal"}}}}}};
  return layer;
}

/// Returns whose rows have the theory, as text such as " of scalable" or " in “crc32”". Returns an
/// empty string if all rows have it.
std::string whose_theory(const Drawing& drawing, const std::string& theory, const Rows& rows) {
  constexpr std::size_t kMostNamed = 6;
  using NameSet = std::set<std::string>;
  const auto names_of = [&](bool has_theory, const auto& name_of) {
    NameSet names;
    for (const SummaryRow* row : rows) {
      if ((theory_line_name(drawing, *row) == theory) == has_theory) names.insert(name_of(*row));
    }
    return names;
  };
  // The names that only rows with the theory have.
  const auto own_names = [&](const auto& name_of) {
    const NameSet names = names_of(true, name_of);
    const NameSet others = names_of(false, name_of);
    const bool are_own = std::none_of(
        names.begin(), names.end(), [&](const std::string& name) { return others.contains(name); });
    return are_own ? names : NameSet();
  };
  const auto series_of = [&](const SummaryRow& row) { return drawing.series.of(row); };
  if (names_of(false, series_of).empty()) return "";
  const NameSet variants = own_names([](const SummaryRow& row) { return row.variant; });
  if (!variants.empty()) return " of " + joined(variants);
  const NameSet views = own_names([&](const SummaryRow& row) { return drawing.views.of(row); });
  if (!views.empty() && views.size() <= kMostNamed) {
    return " in " + quoted({views.begin(), views.end()});
  }
  const NameSet series = names_of(true, series_of);
  if (series.size() > kMostNamed) return fmt::format(" of {} series", series.size());
  return " of " + quoted({series.begin(), series.end()});
}

}  // namespace

std::string approximation_of(const Drawing& drawing, const SummaryRow& row) {
  if (drawing.is_rate()) {
    return row.exact_false_positive_rate ? "" : theory_name(row.expected_by);
  }
  if (!row.expected_fill_ratio) return "";
  const std::string name = fill_theory_name(row);
  return name == kExact ? "" : name;
}

TheoryLines find_lines(const Drawing& drawing) {
  TheoryLines lines;
  const Lengths lengths = lengths_of(drawing);
  const auto is_drawn = [&](const SummaryRow& row, const std::string& theory) {
    const auto shared =
        drawing.shared_lines.find({drawing.views.of(row), drawing.series.of(row), theory});
    return shared == drawing.shared_lines.end() || shared->second;
  };
  Rows with_theory;
  for (const SummaryRow* row : drawing.rows()) {
    const bool is_alone = lengths.at({drawing.series.of(*row), drawing.views.of(*row)}) == 1;
    const bool has_line = drawing.has_lines() && !is_alone;
    const bool has_theory = theory_value(drawing, *row).has_value();
    lines.strokes = lines.strokes || (!has_line && has_theory);
    lines.bound_strokes = lines.bound_strokes ||
                          (!has_line && has_theory && drawing.is_rate() && has_only_bound(*row));
    if (!has_line) continue;
    lines.joined = lines.joined || (!drawing.is_rate() && !has_theory);
    if (drawing.is_rate()) {
      lines.classic = lines.classic || (has_classic_rate(*row) && is_drawn(*row, kClassic));
    }
    if (!has_theory) continue;
    with_theory.push_back(row);
    lines.grow = lines.grow || grows(*row);
    const std::string theory = theory_line_name(drawing, *row);
    if (!is_drawn(*row, theory)) continue;
    if (theory == kExact) lines.exact = true;
    if (theory != kExact) lines.approximations[theory];
  }
  for (auto& [theory, whose] : lines.approximations) {
    whose = whose_theory(drawing, theory, with_theory);
  }
  for (const SummaryRow& row : drawing.input.rows) {
    if (!row.exact_false_positive_rate) lines.of_run.insert(theory_name(row.expected_by));
  }
  lines.hides_classic = has_hidden_classic_line(drawing);
  if (lines.classic) lines.without_classic = variants_without_classic_rate(drawing.rows());
  if (drawing.request.information_bound && !drawing.rows().empty()) {
    const json domain = quantity_channel(drawing, "bound")["scale"]["domain"];
    lines.bound = std::exp2(-bound_ends(drawing).first) > domain[0].get<double>();
  }
  return lines;
}

void add_theory(const Drawing& drawing, json& layers) {
  if (!drawing.is_rate()) {
    if (drawing.lines.exact) {
      add_lines(drawing, "exact", "expected_fill_ratio",
                "isValid(datum.expected_fill_ratio) && !isValid(datum.approximation)",
                {{"datum", kExact}}, layers);
    }
    if (!drawing.lines.approximations.empty()) {
      add_lines(drawing, "approximation", "expected_fill_ratio", "isValid(datum.approximation)",
                {{"field", "approximation"}}, layers);
    }
    layers.push_back(joining_layer(drawing));
    layers.push_back(stroke_layer(drawing, "expected_fill_ratio"));
    return;
  }
  if (drawing.has_bands()) layers.push_back(band_layer(drawing));
  if (drawing.lines.exact) {
    add_lines(drawing, "exact", "exact_false_positive_rate", "datum.exact_false_positive_rate > 0",
              {{"datum", kExact}}, layers);
  }
  if (drawing.lines.classic) {
    add_lines(drawing, "classic", "classic_false_positive_rate", kHasClassicRate,
              {{"datum", kClassic}}, layers);
  }
  if (!drawing.lines.approximations.empty()) {
    add_lines(drawing, "approximation", "expected_false_positive_rate",
              "isValid(datum.approximation)", {{"field", "approximation"}}, layers);
  }
  if (drawing.lines.bound) layers.push_back(bound_layer(drawing));
  if (drawing.has_targets()) {
    for (json& layer : target_layers(quantity_channel(drawing, "target_false_positive_rate"))) {
      layers.push_back(std::move(layer));
    }
  }
  layers.push_back(stroke_layer(drawing, "expected_false_positive_rate"));
}

}  // namespace bloometry::report
