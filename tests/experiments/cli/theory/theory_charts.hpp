#pragma once

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"

/// Charts of theory that tests make without pictures.
namespace bloometry::test {

using nlohmann::json;

inline PointOptions point(const std::string& variant, double bits_per_key) {
  PointOptions options;
  options.variant = variant;
  options.request.num_keys = 10'000;
  options.request.bits_per_key = bits_per_key;
  return options;
}

inline json chart_of(const PointOptions& options, const std::string& against) {
  const TempFolder folder;
  const std::filesystem::path file = folder.path() / "curve.json";
  REQUIRE(theory_chart_command(options, {.file = file, .against = against}) == kDone);
  return json::parse(read_file(file));
}

inline double exact_rate(PointOptions options) {
  options.json = true;
  const CapturedOutput output;
  REQUIRE(theory_command(options) == kDone);
  return json::parse(output.text()).at("expected_false_positive_rate").at("exact");
}

inline const json& layer_of(const json& chart, const std::string& name) {
  for (const json& layer : chart.at("layer")) {
    if (layer.at("name") == name) return layer;
  }
  FAIL("the chart does not have the layer " << name);
  return chart;
}

/// Checks the information bound, which has its own data in every chart.
inline void check_bound(const json& chart) {
  const json& bound = layer_of(chart, "bound");
  const json& points = bound.at("data").at("values");
  REQUIRE(points.size() == 2);
  const std::string field = bound.at("encoding").at("y").at("field");
  for (const json& point : points) {
    CHECK(point.at(field) == std::exp2(-point.at("x").get<double>()));
  }
}

inline json domain_of(const json& chart, const char* channel) {
  return layer_of(chart, "lines").at("encoding").at(channel).at("scale").at("domain");
}

inline std::string caption_of(const json& chart) {
  std::string caption;
  for (const json& line : chart.at("title").at("subtitle")) {
    caption += line.get<std::string>() + ' ';
  }
  return caption;
}

}  // namespace bloometry::test
