#include "experiments/chart/export_style.hpp"

#include <array>
#include <string>
#include <string_view>

namespace bloometry::chart {
namespace {

using nlohmann::json;

constexpr double kPxPerPoint = 96.0 / 72.0;

/// Keys of a Vega-Lite spec whose numbers are proportional to the font size.
constexpr auto kTextLengths = std::to_array<std::string_view>(
    {"fontSize", "labelFontSize", "titleFontSize", "subtitleFontSize", "subtitleLineHeight",
     "labelLineHeight", "labelLimit", "titleLimit"});

bool is_text_length(std::string_view key) {
  for (const std::string_view name : kTextLengths) {
    if (key == name) return true;
  }
  return false;
}

void scale_texts(json& node, double factor) {
  if (node.is_array()) {
    for (json& element : node) scale_texts(element, factor);
  } else if (node.is_object()) {
    for (const auto& [key, value] : node.items()) {
      if (key == "data") continue;  // data can have many rows and does not contain a style
      if (value.is_number() && is_text_length(key)) {
        value = value.get<double>() * factor;
      } else {
        scale_texts(value, factor);
      }
    }
  }
}

}  // namespace

json styled(json spec, const ExportStyle& style) {
  if (style.is_bare) spec.erase("title");
  if (style.font_size) {
    const double tick_labels = spec.at("config").at("axis").at("labelFontSize").get<double>();
    scale_texts(spec, *style.font_size * kPxPerPoint / tick_labels);
  }
  return spec;
}

}  // namespace bloometry::chart
