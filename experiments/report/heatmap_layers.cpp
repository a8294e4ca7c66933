#include "experiments/report/heatmap_layers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/untested.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

constexpr std::size_t kMostNumberedCells = 8;  // maximum along n or k with numbers in the cells
constexpr double kLargestLinearLimit = 1;      // larger limits would make small errors white

/// Returns the largest error that chance does not explain, of all rows or of the tested rows.
double largest_error(const Rows& rows, const Chance& chance, bool is_of_tested) {
  double largest = 0;
  for (const SummaryRow* row : rows) {
    if (chance.explains(*row) || (is_of_tested && !row->tested)) continue;
    largest = std::max(largest, std::abs(relative_error(*row)));
  }
  return largest;
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

/// Returns the colour scale of errors. The scale is linear in the error. If some errors exceed 100
/// %, the scale is logarithmic above 1 %.
json error_channel(double limit) {
  constexpr double kLeastShown = 1e-4;  // smaller errors would look like grey cells
  json error = {
      {"field", "relative_error"},
      {"type", "quantitative"},
      {"scale",
       {{"domain", {-limit, -kLeastShown, kLeastShown, limit}},
        {"range", {"#0072B2", "#C3DCEC", "#F7D9C2", "#D55E00"}},  // without grey
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

/// Returns the layer of grey cells, whose error chance explains, with their legend entry.
json grey_layer() {
  json layer =
      cell_layer("measured_by_chance", "!datum.coloured && datum.enough", {{"value", "#DADADA"}});
  const std::string kind = "within chance";
  layer["transform"].push_back({{"calculate", fmt::format("'{}'", kind)}, {"as", "kind"}});
  layer["encoding"]["opacity"] = {{"field", "kind"},
                                  {"type", "ordinal"},
                                  {"scale", {{"domain", {kind}}, {"range", {1}}}},
                                  {"legend",
                                   {{"title", nullptr},
                                    {"symbolType", "square"},
                                    {"symbolFillColor", "#DADADA"},
                                    {"symbolStrokeWidth", 0},
                                    {"symbolSize", 140}}}};
  return layer;
}

/// Returns the layer of cells with too few false positives for a judgement. Cells without a
/// judgement are almost white and have no number.
json empty_layer() {
  return cell_layer("measured_not_judged", "!datum.coloured && !datum.enough",
                    {{"value", "#F3F3F3"}});
}

/// Returns the layer of dashed frames around the cells that `verify` does not test, with their
/// legend entry.
json untested_layer() {
  constexpr const char* kEntry = "not tested by verify";
  constexpr const char* kColour = "#222";
  const json dash = {2, 2};
  return {{"name", "not_tested"},
          {"transform", {{{"filter", "isValid(datum.exemption_reason)"}}}},
          {"mark",
           {{"type", "rect"},
            {"filled", false},
            {"strokeWidth", 1.4},
            {"strokeDash", dash},
            {"tooltip", nullptr}}},
          {"encoding",
           {{"stroke",
             {{"datum", kEntry},
              {"type", "nominal"},
              {"scale", {{"domain", {kEntry}}, {"range", {kColour}}}},
              {"legend",
               {{"title", nullptr},
                {"symbolType", "square"},
                {"symbolFillColor", "transparent"},
                {"symbolDash", dash},
                {"symbolSize", 140}}}}}}}};
}

/// Returns the evenly spaced n whose labels fit below a panel.
json labelled_n(const Rows& rows, std::size_t num_views) {
  constexpr int kLabelWidth = 20;  // pixels per label at 45 degrees
  std::set<std::uint64_t> distinct;
  for (const SummaryRow* row : rows) distinct.insert(row->num_inserted);
  const std::vector<std::uint64_t> all(distinct.begin(), distinct.end());
  const auto room = static_cast<std::size_t>(chart::view_size(num_views).width / kLabelWidth);
  const std::size_t step = (all.size() + room - 1) / room;
  json values = json::array();
  for (std::size_t i = 0; i < all.size(); i += step) values.push_back(all[i]);
  return values;
}

}  // namespace

bool has_room_for_numbers(const Rows& rows) {
  std::set<std::uint64_t> n;
  std::set<std::uint64_t> k;
  for (const SummaryRow* row : rows) {
    n.insert(row->num_inserted);
    k.insert(*row->num_hashes);
  }
  return std::max(n.size(), k.size()) <= kMostNumberedCells;
}

double colour_limit(const Rows& rows, const Chance& chance) {
  constexpr double kLeastLimit = 0.005;
  const double of_tested = largest_error(rows, chance, true);
  const double largest =
      std::max(kLeastLimit, of_tested > 0 ? of_tested : largest_error(rows, chance, false));
  const double power = std::pow(10.0, std::floor(std::log10(largest)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (largest <= step * power) return step * power;
  }
  return 10 * power;
}

json heatmap_view(const Rows& rows, std::size_t num_views, const Chance& chance) {
  const json x = {{"field", "num_inserted"},
                  {"type", "ordinal"},
                  {"title", "keys inserted n"},
                  {"axis",
                   {{"values", labelled_n(rows, num_views)},
                    {"labelExpr", "format(datum.value, '.3~s')"},
                    {"labelAngle", -45}}}};
  const json y = {{"field", "num_hashes"},
                  {"type", "ordinal"},
                  {"sort", "descending"},
                  {"title", "hash functions k"}};
  json layers = json::array();
  if (!chance.explains_all(rows)) {
    layers.push_back(
        cell_layer("measured", "datum.coloured", error_channel(colour_limit(rows, chance))));
  }
  layers.push_back(grey_layer());
  layers.push_back(empty_layer());
  if (has_room_for_numbers(rows)) layers.push_back(number_layer());
  if (num_untested(rows) > 0) layers.push_back(untested_layer());
  return {{"layer", layers}, {"encoding", {{"x", x}, {"y", y}}}};
}

}  // namespace bloometry::report
