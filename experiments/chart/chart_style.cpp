#include "experiments/chart/chart_style.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <sstream>
#include <utility>

#include "experiments/chart/chart.hpp"

namespace bloometry::chart {
namespace {

using nlohmann::json;

constexpr std::size_t kLineLength = 105;  // maximum length of a subtitle's line, in characters
constexpr std::size_t kLegendLetters = 36;
constexpr int kHeaderMargin = 12;  // pixels by which a header may exceed the width of its view

/// Returns a mixture of two colours: `from` for share = 0, `to` for share = 1. Colours have the
/// form `#RRGGBB`.
std::string mixed(const std::string& from, const std::string& to, double share) {
  std::string result = "#";
  for (std::size_t i = 1; i < 7; i += 2) {
    const int low = std::stoi(from.substr(i, 2), nullptr, 16);
    const int high = std::stoi(to.substr(i, 2), nullptr, 16);
    result += fmt::format("{:02X}", std::lround(low + (high - low) * share) & 0xff);
  }
  return result;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

/// Joins pieces into lines of at most line_length characters. A longer piece is not divided.
json lines_of(const std::vector<std::string>& pieces, std::size_t line_length) {
  json lines = json::array();
  std::string line;
  for (const std::string& piece : pieces) {
    if (!line.empty() && line.size() + 1 + piece.size() > line_length) {
      lines.push_back(std::exchange(line, ""));
    }
    line += (line.empty() ? "" : " ") + piece;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Divides text into lines, because Vega-Lite does not wrap titles. A number and its % sign are
/// never separated.
json wrapped(const std::string& text) {
  std::vector<std::string> pieces;
  for (const std::string& word : words_of(text)) {
    const bool is_percent = word.starts_with("%") && !pieces.empty();
    if (is_percent) {
      pieces.back() += "\u00a0" + word;
    } else {
      pieces.push_back(word);
    }
  }
  return lines_of(pieces, kLineLength);
}

/// Divides a label such as `blocked, block_bits = 256` into `blocked,` and `block_bits = 256`.
/// Parts that are longer than a line are divided into words.
std::vector<std::string> parts_of(const std::string& label, std::size_t line_length) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < label.size();) {
    const std::size_t comma = label.find(", ", from);
    const std::size_t end = comma == std::string::npos ? label.size() : comma + 1;
    const std::string part = label.substr(from, end - from);
    if (part.size() <= line_length) {
      parts.push_back(part);
    } else {
      for (std::string& word : words_of(part)) parts.push_back(std::move(word));
    }
    from = end + 1;
  }
  return parts;
}

/// Removes the middle of a line that has more letters than the limit. Paths usually differ at the
/// end, so the result contains the end of the line.
std::string shortened(const std::string& line, std::size_t most_letters) {
  std::vector<std::size_t> letters;  // start of each letter, in UTF-8
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U) letters.push_back(i);
  }
  if (letters.size() <= most_letters) return line;
  return fmt::format("{}…{}", line.substr(0, letters[most_letters / 3]),
                     line.substr(letters[letters.size() - most_letters * 2 / 3]));
}

/// Returns a Vega expression for the lines of each label. The expression omits the middle of a
/// single word that is longer than a line, such as a path. The point's tooltip shows the whole
/// word.
std::string lines_by_label(const std::vector<std::string>& labels, std::size_t letters) {
  json found = lines_of_labels(labels, letters);
  for (json& lines : found) {
    for (json& line : lines) line = shortened(line.get<std::string>(), letters);
  }
  return label_expr(found);
}

/// Returns the headers of the views. A long header is divided into lines, because the
/// distinguishing part of a header is usually at its end.
json header_of(const std::vector<std::string>& facets, const ViewSize& size, int font_size) {
  constexpr double kLetterWidth = 0.8;  // in font sizes; Vega assumes this width without a canvas
  constexpr int kPadding = 4;           // pixels above headroom()
  const int width = size.width + kHeaderMargin;
  const auto letters = static_cast<std::size_t>(width / (kLetterWidth * font_size));
  return {{"labelLimit", width},
          {"labelFontSize", font_size},
          {"labelLineHeight", font_size + 3},
          {"labelPadding", kPadding},
          {"title", nullptr},
          {"labelExpr", lines_by_label(facets, letters)}};
}

/// Returns an invisible layer that is as high as a mark can rise above the upper edge of a view.
/// Vega places a header above all marks. Without the invisible layer, the headers of views would
/// differ in height.
json headroom() {
  constexpr int kHeight = 7;   // in pixels: half of the largest mark and its stroke
  constexpr int kMargin = 20;  // pixels from the left and right edges of the view
  return {{"name", "headroom"},
          {"data", {{"values", {json::object()}}}},
          {"mark", {{"type", "rule"}, {"strokeWidth", 2 * kHeight}, {"tooltip", nullptr}}},
          {"encoding",
           {{"x", {{"value", kMargin}}},
            {"x2", {{"value", kMargin + 1}}},
            {"y", {{"value", 0}}},
            {"color", {{"value", "transparent"}}}}}};
}

/// Returns a Vega expression for the label of a power of ten. For 0.001, the label is 10 with the
/// superscript -3.
json power_of_ten_label() {
  static const std::string kExponent = "round(log(datum.value)/LN10)";
  static const std::string kDigit = "'⁰¹²³⁴⁵⁶⁷⁸⁹'";
  const std::string size = fmt::format("abs({})", kExponent);
  std::string label = fmt::format("datum.value == 1 ? '1' : '10' + ({} < 0 ? '⁻' : '')", kExponent);
  for (const std::string power :
       {"100", "10", "1"}) {  // a double's exponent has at most three digits
    const std::string digit = fmt::format("floor({} / {}) % 10", size, power);
    label +=
        fmt::format(" + ({0} >= {1} ? slice({2}, {3}, {3} + 1) : '')", size, power, kDigit, digit);
  }
  return label;
}

/// Returns the powers of ten between two exponents. For a long range, the result contains only
/// every second, third, ... power.
json decades(int first, int last) {
  const int step = 1 + (last - first) / 9;
  json values = json::array();
  for (int exponent = last; exponent >= first; exponent -= step) {
    values.insert(values.begin(), std::pow(10.0, exponent));
  }
  return values;
}

}  // namespace

json round_values(double low, double high) {
  constexpr double kNarrow = 4;  // high / low; a wider range contains two round numbers
  json values = json::array();
  if (high / low > kNarrow) {
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10) {
      for (const double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
        if (digit * power >= low && digit * power <= high) values.push_back(digit * power);
      }
    }
    return values;
  }
  constexpr double kLeastValues = 3;
  const double power = std::pow(10.0, std::floor(std::log10((high - low) / kLeastValues)));
  double step = power;
  for (const double digit : {2.0, 5.0}) {
    if (digit * power * kLeastValues <= high - low) step = digit * power;
  }
  for (double i = std::ceil(low / step); i * step <= high; ++i) values.push_back(i * step);
  return values;
}

namespace {

/// Returns a channel in percent with a label at every value. By default, a logarithmic axis labels
/// only powers of ten, but the range may lie between two powers of ten.
json percent_channel(double low, double high) {
  const double margin = std::max(0.04, 0.1 * std::log(high / low));
  const double first = low * std::exp(-margin);
  const double last = std::min(1.0, high * std::exp(margin));
  return {{"scale", {{"type", "log"}, {"nice", false}, {"domain", {first, last}}}},
          {"axis",
           {{"values", round_values(first, last)}, {"labelExpr", "format(datum.value, '~%')"}}}};
}

json decade_channel(double low, double high) {
  constexpr double kLeastDrawn = 1e-300;  // a logarithmic axis cannot show a rate of 0
  low = std::max(low, kLeastDrawn);
  high = std::max(high, low);
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  return {{"scale",
           {{"type", "log"},
            {"nice", false},
            {"domain", {std::pow(10.0, first), std::pow(10.0, last)}}}},
          {"axis", {{"values", decades(first, last)}, {"labelExpr", power_of_ten_label()}}}};
}

}  // namespace

const json& series_colours() {
  static const json kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                "#E69F00", "#56B4E9", "#7F7F7F", "#B8A800"};
  return kColours;
}

const json& series_shapes() {
  // The last two shapes, a star and the rotated cross, are outlines in a square from -1 to 1.
  static const json kShapes = {
      "circle",
      "square",
      "diamond",
      "cross",
      "triangle-up",
      "triangle-right",
      "triangle-left",
      "M0,-1.2L0.3,-0.3L1.2,0L0.3,0.3L0,1.2L-0.3,0.3L-1.2,0L-0.3,-0.3Z",
      "M0,-0.4L0.6,-1L1,-0.6L0.4,0L1,0.6L0.6,1L0,0.4L-0.6,1L-1,0.6L-0.4,0L-1,-0.6L-0.6,-1Z"};
  return kShapes;
}

json base_spec(const std::string& title, const std::string& caption) {
  json spec = json::parse(R"({
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "data": {"name": "points", "values": []},
    "params": [{"name": "picked", "value": -1}],
    "config": {
      "font": "DejaVu Sans, Verdana, sans-serif",
      "background": "white",
      "view": {"stroke": "#8888", "strokeWidth": 0.6},
      "title": {"anchor": "start", "fontSize": 16, "subtitleFontSize": 11.5, "subtitleColor": "#444",
                "subtitleLineHeight": 15, "subtitlePadding": 6, "offset": 14},
      "axis": {"gridColor": "#8883", "domainColor": "#888", "tickColor": "#888", "labelFontSize": 11,
               "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 160, "titleLimit": 420},
      "axisX": {"labelSeparation": 8},
      "header": {"labelFontSize": 12, "labelFontWeight": "bold", "labelLimit": 300, "title": null},
      "legend": {"labelFontSize": 10, "titleFontSize": 11, "labelLimit": 0, "titleLimit": 0,
                 "titleFontWeight": "normal", "symbolSize": 80},
      "line": {"strokeWidth": 1.6}
    }
  })");
  spec["title"] = {{"text", title}, {"subtitle", wrapped(caption)}};
  spec["description"] = fmt::format("{}. {}", title, caption);
  return spec;
}

json rate_channel(const std::string& field, const std::string& title, double low, double high) {
  json channel = high / low < 10 ? percent_channel(low, high) : decade_channel(low, high);
  channel.update({{"field", field}, {"type", "quantitative"}, {"title", title}});
  return channel;
}

double share_of(const json& scale, double value) {
  const auto low = scale["domain"][0].get<double>();
  const auto high = scale["domain"][1].get<double>();
  if (scale.value("type", "linear") == "log") return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

json number_axis(double high) {
  // An expression formats each label separately. A number format for the whole axis would give all
  // labels the same SI prefix, such as 0.2k beside 1.2k.
  const char* each = high >= 1000
                         ? "datum.value < 1 ? format(datum.value, '~g') : format(datum.value, '~s')"
                         : "format(datum.value, '~f')";
  return {{"labelExpr", each}, {"tickCount", 6}};
}

json log_number_axis(const json& scale) {
  constexpr double kWide = 1000;  // high / low from which powers of ten suffice
  constexpr double kNarrow = 10;
  const auto low = scale["domain"][0].get<double>();
  const auto high = scale["domain"][1].get<double>();
  json values = json::array();
  if (high / low >= kWide) {
    values = decades(static_cast<int>(std::ceil(std::log10(low))),
                     static_cast<int>(std::floor(std::log10(high))));
  } else if (high / low > kNarrow) {
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit * power >= low && digit * power <= high) values.push_back(digit * power);
      }
    }
  } else {
    values = round_values(low, high);
  }
  return {{"values", values},
          {"labelOverlap", "greedy"},
          {"labelExpr", "datum.value < 1 ? format(datum.value, '~g') : format(datum.value, '~s')"}};
}

std::string lightened(const std::string& colour, double white) {
  return mixed(colour, "#FFFFFF", white);
}

std::vector<std::string> ordered_colours(std::size_t count) {
  static const std::array<std::string, 4> kEnds = {"#5B4FC4", "#B14FB9", "#E0574F", "#D9A514"};
  std::vector<std::string> colours;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i * (kEnds.size() - 1)) /
                         static_cast<double>(std::max<std::size_t>(count - 1, 1));
    const auto from = std::min(static_cast<std::size_t>(place), kEnds.size() - 2);
    colours.push_back(mixed(kEnds[from], kEnds[from + 1], place - static_cast<double>(from)));
  }
  return colours;
}

json lines_of_labels(const std::vector<std::string>& labels, std::size_t letters) {
  json lines = json::object();
  for (const std::string& label : labels) {
    lines[label] = lines_of(parts_of(label, letters), letters);
  }
  return lines;
}

std::string label_expr(const json& lines) {
  return to_text(lines) + "[datum.label]";
}

json series_channels(const std::string& title, const std::vector<std::string>& labels,
                     const std::vector<std::string>& colours) {
  const auto colour_of = [&](std::size_t i) -> json {
    if (!colours.empty()) return colours[i];
    return series_colours()[i % series_colours().size()];
  };
  if (labels.size() <= 1) {
    return {{"color", {{"value", labels.empty() ? series_colours()[0] : colour_of(0)}}},
            {"shape", {{"value", series_shapes()[0]}}}};
  }
  json fills = json::array();
  json shapes = json::array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    fills.push_back(colour_of(i));
    shapes.push_back(series_shapes()[i % series_shapes().size()]);
  }
  const json legend = {{"title", title},
                       {"symbolOpacity", 1},
                       {"labelExpr", lines_by_label(labels, kLegendLetters)}};
  const auto channel = [&](const json& range) {
    return json{{"field", "series"},
                {"type", "nominal"},
                {"scale", {{"domain", labels}, {"range", range}}},
                {"legend", legend}};
  };
  return {{"color", channel(fills)}, {"shape", channel(shapes)}};
}

json named_marks(const std::string& label, json symbol) {
  symbol["title"] = nullptr;
  return {{"datum", label},
          {"type", "ordinal"},
          {"scale", {{"domain", {label}}, {"range", {1}}}},
          {"legend", std::move(symbol)}};
}

json picked_width() {
  return {{"condition", {{"test", "datum.id === picked"}, {"value", 5}}}, {"value", 1.4}};
}

ViewSize view_size(std::size_t num_views) {
  if (num_views <= 1) return {.width = 620, .height = 380, .columns = 1};
  if (num_views <= 4) return {.width = 350, .height = 260, .columns = 2};
  if (num_views <= 12) return {.width = 240, .height = 190, .columns = 3};
  return {.width = 160, .height = 130, .columns = 4};
}

void place(json& spec, json view, const std::vector<std::string>& facets) {
  const ViewSize size = view_size(facets.size());
  view["width"] = size.width;
  view["height"] = size.height;
  if (facets.size() <= 1) {
    spec.update(view);
    return;
  }
  spec["facet"] = {{"field", "facet"}, {"type", "nominal"}, {"sort", facets}};
  spec["facet"]["header"] = header_of(facets, size, facets.size() > 12 ? 10 : 12);
  spec["columns"] = size.columns;
  if (view.contains("layer")) view["layer"].insert(view["layer"].begin(), headroom());
  // Vega draws a shared axis under every column, also below empty cells.
  if (facets.size() % static_cast<std::size_t>(size.columns) != 0) {
    spec["resolve"] = {{"axis", {{"x", "independent"}}}};
  }
  spec["spec"] = std::move(view);
}

}  // namespace bloometry::chart
