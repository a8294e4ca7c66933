#pragma once

#include <array>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/picture_options.hpp"
#include "experiments/cli/sweep/report_options.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/chart_axis.hpp"

/// The command `bloometry report`. Only main.cpp includes this file, because CLI11 needs seconds to
/// compile.
namespace bloometry {

inline void add_export_options(const Command& app, ReportOptions& options) {
  static constexpr auto kFormats = std::to_array<std::string_view>({"svg", "png", "pdf", "csv"});
  CLI::Option* formats = app.offer(
      app.list(
          "--export",
          "formats in which each chart is also written: svg, png or pdf (pictures) or csv (a table "
          "of "
          "the drawn points, for other plotting programs), e.g. png,csv; a .txt file beside them "
          "contains the caption (default: none)",
          [&options](const std::vector<std::string>& names) {
            options.pictures.formats = items_of("--export", kFormats, names);
            options.with_csv = std::erase(options.pictures.formats, "csv") > 0;
          }),
      kFormats);
  add_picture_options(app.group("With --export"), formats, options.pictures.style);
}

/// Returns the axes, and the name for a single panel.
inline std::vector<std::string_view> facet_names() {
  std::vector<std::string_view> names(kChartAxisNames.begin(), kChartAxisNames.end());
  names.push_back(kNoFacet);
  return names;
}

/// Returns the axes as they begin a value for --fix.
inline std::vector<std::string> fix_names() {
  std::vector<std::string> names;
  for (const std::string_view name : kChartAxisNames) names.push_back(std::string(name) + "=");
  return names;
}

/// Returns a value for --fix. A number on the command line may have a form such as 1e6 or 1M.
inline std::pair<std::string, std::string> fixed_value_of(const std::string& item) {
  const std::size_t end = item.find('=');
  if (end == std::string::npos || end + 1 == item.size()) {
    throw ConfigError("--fix", fmt::format("must be AXIS=VALUE, got '{}'", item));
  }
  const std::string name = parse_choice("--fix", kChartAxisNames, item.substr(0, end));
  const std::string text = item.substr(end + 1);
  if (!has_numbers(name)) return {name, text};
  return {name, number_text(parse_real("--fix", fmt::format("a number for {}", name), text))};
}

inline void add_division_options(const Command& app, ReportOptions& options) {
  app.offer(app.value("--facet", "NAME",
                      fmt::format(
                          "axis whose values are drawn in separate panels: {} or none (a single "
                          "panel); applies to charts with several series (default: the axis in the "
                          "config; if it does not name one, as many panels as needed)",
                          joined(kChartAxisNames)),
                      [&options](const std::string& text) {
                        options.facet = parse_choice("--facet", facet_names(), text);
                      }),
            facet_names());
  app.offer(
      app.value("--series", "NAME",
                "axis whose values are the series of charts, such as num_hashes, with the names of "
                "--facet; not the x axis of a chart; other axes give panels, unless they determine "
                "the series or follow from them (default: the axis in the config; if it does not "
                "name one, all axes in which points differ)",
                [&options](const std::string& text) {
                  options.series = parse_choice("--series", kChartAxisNames, text);
                }),
      kChartAxisNames);
  app.offer(
      app.list(
          "--fix",
          "values that all points of the charts have, e.g. num_hashes=3,variant=standard, with "
          "the names of --facet (default: the values in the config; if it names none, all points)",
          [&options](const std::vector<std::string>& items) {
            for (const std::string& item : items) {
              const auto [name, value] = fixed_value_of(item);
              options.fix.insert_or_assign(name, value);
            }
          }),
      fix_names());
}

inline void add_report(const Command& program, ReportOptions& options, Action& action) {
  const Command app =
      program.subcommand("report", "write summary.csv, charts and report.html into a run folder");
  app->add_option("DIR", options.folder, "run folder")->required();
  app.offer(
      app.list(
          "--charts",
          fmt::format("charts to draw: {} (default: the charts in the config; if it does not name "
                      "any, all for which the run has data)",
                      joined(kChartNames)),
          [&options](const std::vector<std::string>& names) {
            options.charts = items_of("--charts", kChartNames, names);
          }),
      kChartNames);
  add_division_options(app, options);
  app.list("--bench",
           "output files of `bloometry bench --json`, one per false-positive rate, for the chart "
           "ns_vs_rate of query time against rate (default: the chart is not drawn)",
           [&options](const std::vector<std::string>& files) {
             options.bench.assign(files.begin(), files.end());
           });
  add_export_options(app, options);
  app->add_flag("--json", options.json,
                "print the verdict and the names of the written files as JSON, instead of the path "
                "of report.html");
  app->footer(footer({"bloometry report results/fpr_vs_theory/0123456789ab --export svg,png,csv",
                      "bloometry report results/textbook/0123456789ab --series num_hashes \\\n"
                      "      --fix variant=standard",
                      "bloometry report results/fpr_vs_theory/0123456789ab --export pdf \\\n"
                      "      --charts rate_vs_bits_per_key --facet none \\\n"
                      "      --figure bare --width 330 --font-size 7"}));
  app->callback([&] { action = [&] { return report_command(options); }; });
}

}  // namespace bloometry
