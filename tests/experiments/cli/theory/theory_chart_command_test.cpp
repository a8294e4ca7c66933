#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "tests/experiments/cli/theory/theory_charts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;
using nlohmann::json;

namespace {

/// Returns the point of the line whose x is closest to the given x.
json point_near(const json& chart, const std::string& line, double x) {
  double distance = INFINITY;
  json point;
  for (const json& value : chart.at("data").at("values")) {
    if (value.at("line") != line || std::abs(value.at("x").get<double>() - x) >= distance) continue;
    distance = std::abs(value.at("x").get<double>() - x);
    point = value;
  }
  REQUIRE(point.is_object());
  return point;
}

double rate_near(const json& chart, const std::string& line, double x) {
  return point_near(chart, line, x).at("rate");
}

json lines_of(const json& chart) {
  for (const json& layer : chart.at("layer")) {
    if (layer.at("name") == "lines") return layer["encoding"]["color"]["scale"]["domain"];
  }
  return {};
}

}  // namespace

TEST_CASE("theory chart: a curve over n shows the rate of the filter at every n", "[cli][theory]") {
  PointOptions options = point("standard", 10);
  const json chart = chart_of(options, "num_keys");
  CHECK(lines_of(chart) == json({"exact theory", "classic formula", "Goel-Gupta upper bound"}));
  const double at_n = exact_rate(options);
  CHECK(rate_near(chart, "exact theory", 10'000) == at_n);
  options.request.bits_per_key.reset();
  options.request.num_cells = 100'000;
  options.request.num_hashes = 7;
  options.request.num_keys = 20'000;
  CHECK(rate_near(chart, "exact theory", 20'000) == exact_rate(options));
  CHECK(to_string(chart.at("title")).find("m = 100,000 bits, k = 7") != std::string::npos);
}

TEST_CASE("theory chart: over bits per key each size has its best k, and the bound is drawn",
          "[cli][theory]") {
  const json chart = chart_of(point("blocked", 8), "bits_per_key");
  for (const double bits_per_key : {4.1, 8.0, 15.9}) {
    const json drawn = point_near(chart, "exact theory", bits_per_key);
    const double x = drawn.at("x");
    CHECK(x == Approx(bits_per_key).epsilon(0.03));
    PointOptions same = point("blocked", 0);
    same.request.bits_per_key.reset();
    same.request.num_cells = static_cast<std::uint64_t>(std::llround(x * 10'000));
    CHECK(drawn.at("rate") == exact_rate(same));
  }
  check_bound(chart);
  PointOptions fixed = point("blocked", 8);
  fixed.request.num_hashes = 3;
  CHECK(to_string(chart_of(fixed, "bits_per_key").at("title")).find("All sizes have k = 3.") !=
        std::string::npos);
}

TEST_CASE("theory chart: over k the memory is constant", "[cli][theory]") {
  PointOptions options = point("standard", 10);
  const json chart = chart_of(options, "num_hashes");
  for (const unsigned k : {1U, 7U, 14U}) {
    options.request.num_hashes = k;
    CHECK(rate_near(chart, "exact theory", k) == exact_rate(options));
  }
}

TEST_CASE("theory chart: a growing filter is drawn over a logarithmic n with its target",
          "[cli][theory]") {
  PointOptions options;
  options.variant = "scalable";
  options.request.num_keys = 1'000'000;
  options.request.rate = 0.01;
  const json chart = chart_of(options, "num_keys");
  CHECK(lines_of(chart) == json({"fluid approximation", "design bound"}));
  CHECK(chart["layer"][0]["name"] == "target");
  CHECK(chart["layer"][1]["encoding"]["x"]["scale"]["type"] == "log");
  const auto message = [&](const std::string& variant, const std::string& against) {
    PointOptions requested = variant == "scalable" ? options : point(variant, 10);
    return message_of<ConfigError>([&] {
      (void)theory_chart_command(requested, {.file = "never_written.json", .against = against});
    });
  };
  CHECK(message("scalable", "bits_per_key") ==
        "--against of scalable must be num_keys, got 'bits_per_key'");
  CHECK(message("split_block", "num_hashes") ==
        "--against of split_block must be one of num_keys, bits_per_key, got 'num_hashes'");
  CHECK(to_string(chart.at("title")).find("scalable, initial capacity 10,000 keys, ") !=
        std::string::npos);
}

TEST_CASE("theory chart: several variants have a colour each, and their best known rate",
          "[cli][theory]") {
  PointOptions options = point("standard,blocked,counting", 40);
  const json chart = chart_of(options, "num_keys");
  CHECK(domain_of(chart, "strokeDash") == json({"exact theory"}));
  CHECK(domain_of(chart, "color") ==
        json({"standard, k = 28", "blocked, k = 16", "counting, k = 7"}));
  for (const std::string variant : {"standard", "blocked", "counting"}) {
    options.variant = variant;
    double drawn = 0;
    for (const json& value : chart.at("data").at("values")) {
      const bool is_at_n = value.at("x") == 10'000;
      if (is_at_n && value.at("series").get<std::string>().starts_with(variant)) {
        CHECK(drawn == 0);  // one line per variant
        drawn = value.at("rate");
      }
    }
    CHECK(drawn == exact_rate(options));
  }
  CHECK(layer_of(chart, "requested").at("data").at("values").size() == 3);
  CHECK(caption_of(chart).find("standard, m = 400,000 bits, k = 28; blocked, ") !=
        std::string::npos);
}

TEST_CASE("theory chart: the caption names lines that coincide", "[cli][theory]") {
  PointOptions options = point("standard,counting,blocked", 0);
  options.request.bits_per_key.reset();
  options.request.num_cells = 100'352;
  options.request.num_hashes = 7;
  const json chart = chart_of(options, "num_keys");
  CHECK(caption_of(chart).find(" The lines of standard and counting coincide. ") !=
        std::string::npos);
  CHECK(caption_of(chart).find("and blocked coincide") == std::string::npos);
  CHECK(layer_of(chart, "lines").at("encoding").at("size").at("field") == "width");
  std::map<std::string, double> widths;
  for (const json& value : chart.at("data").at("values")) {
    widths[value.at("variant")] = value.at("width");
  }
  CHECK(widths.at("standard") > widths.at("counting"));  // counting is drawn over it
  CHECK(widths.at("blocked") == widths.at("counting"));
}

TEST_CASE("theory chart: several variants over bits per key share one information bound",
          "[cli][theory]") {
  const json chart = chart_of(point("standard,blocked", 12), "bits_per_key");
  CHECK(domain_of(chart, "strokeDash") == json({"exact theory", "information bound"}));
  check_bound(chart);
  CHECK(caption_of(chart).find("Each size has its best k.") != std::string::npos);
}

TEST_CASE("theory chart: a growing filter beside a fixed one has a logarithmic n and a target",
          "[cli][theory]") {
  PointOptions options;
  options.variant = "standard,scalable";
  options.request.num_keys = 100'000;
  options.request.rate = 0.01;
  const json chart = chart_of(options, "num_keys");
  CHECK(domain_of(chart, "strokeDash") == json({"exact theory", "fluid approximation"}));
  CHECK(domain_of(chart, "color") ==
        json({"standard, k = 7", "scalable, initial capacity 10,000"}));
  CHECK(layer_of(chart, "lines").at("encoding").at("x").at("scale").at("type") == "log");
  CHECK(layer_of(chart, "target").at("data").at("values")[0].at("target") == 0.01);
  options.variant = "standard,split_block";
  const std::string message = message_of<ConfigError>([&] {
    (void)theory_chart_command(options, {.file = "never_written.json", .against = "num_hashes"});
  });
  CHECK(message ==
        "--against of split_block must be one of num_keys, bits_per_key, got 'num_hashes'");
}

TEST_CASE("theory chart: a chart has at most as many variants as colours", "[cli][theory]") {
  std::string all;
  for (const VariantInfo& info : all_variant_infos()) {
    all += (all.empty() ? "" : ",") + std::string(info.name);
  }
  const std::string message = message_of<ConfigError>(
      [&] { (void)theory_chart_command(point(all, 40), {.file = "never_written.json"}); });
  CHECK(message == "variant must be at most 8 names with --chart, got " +
                       std::to_string(all_variant_infos().size()));
}

TEST_CASE("theory chart: the folder of the file must exist", "[cli][theory]") {
  const std::string message = message_of<ConfigError>([] {
    (void)theory_chart_command(point("standard", 10), {.file = "/no/such/folder/curve.json"});
  });
  CHECK(message == "--chart must be in a folder that exists, got '/no/such/folder/curve.json'");
}

TEST_CASE("theory chart: an image has the style of a report's exports and its caption as text",
          "[cli][theory]") {
  if (!chart::load_chart_runtime(chart::assets_folder())) {
    WARN("skipped: the chart runtime is not installed");
    return;
  }
  const TempFolder folder;
  const std::filesystem::path file = folder.path() / "curve.svg";
  const bool is_bare = GENERATE(false, true);
  REQUIRE(theory_chart_command(
              point("standard", 10),
              {.file = file, .style = {.is_bare = is_bare, .width = 330, .font_size = 9}}) ==
          kDone);
  const std::string svg = read_file(file);
  CHECK(svg.find("width=\"330\"") != std::string::npos);
  CHECK(svg.find("font-size=\"12px\"") != std::string::npos);  // 9 points
  CHECK((svg.find(">Computed from theory") == std::string::npos) == is_bare);
  const std::string caption = read_file(folder.path() / "curve.txt");
  CHECK(caption.starts_with(
      "Expected false-positive rate against keys inserted n\n\nComputed from theory, not "
      "measured: standard, m = 100,000 bits, k = 7."));
  // The caption of the svg makes way for that of a picture in another format.
  CHECK(theory_chart_command(point("standard", 10), {.file = folder.path() / "curve.png"}) ==
        kDone);
}

TEST_CASE("theory chart: the caption does not replace a file of the user", "[cli][theory]") {
  const TempFolder folder;
  const std::filesystem::path notes = folder.path() / "curve.txt";
  replace_file(notes, "my notes");
  const std::string message = message_of<ConfigError>([&] {
    (void)theory_chart_command(point("standard", 10), {.file = folder.path() / "curve.svg"});
  });
  CHECK(message == fmt::format("--chart must have another name, because the caption would replace "
                               "{}, got '{}'",
                               notes.string(), (folder.path() / "curve.svg").string()));
  CHECK(read_file(notes) == "my notes");
}

TEST_CASE("theory chart: the Vega-Lite chart is unstyled", "[cli][theory]") {
  const std::string message = message_of<ConfigError>([] {
    (void)theory_chart_command(point("standard", 10),
                               {.file = "never_written.json", .style = {.width = 330}});
  });
  CHECK(message ==
        "--chart with --figure, --width or --font-size must end in .svg, .png or .pdf, got "
        "'never_written.json'");
}
