#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/cli/command_line/picture_options.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/size/size_options.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/text/quantity.hpp"

/// The commands `bloometry theory` and `bloometry size`. Only main.cpp includes this file, because
/// CLI11 needs seconds to compile.
namespace bloometry {

/// The end of the message about --memory without a unit.
inline constexpr const char* kCellsInstead = ", or -m for a number of bits or counters";

inline void add_point_options(const Command& app, PointOptions& options,
                              const SizeDefaults& defaults) {
  SizeRequest& request = options.request;
  add_size_options(app, request, defaults);
  add_bits_per_key(app, request);
  app.value(
      "--memory", "SIZE",
      "memory of the filter in bytes with a unit, like 64MB (10^6) or 64MiB (2^20); an alternative "
      "to -m",
      [&options, &request](const std::string& text) {
        if (request.num_cells || request.num_bits) {
          throw ConfigError("--memory must be left out with -m: both determine the size");
        }
        request.num_bits = 8 * parse_bytes("--memory", text, kCellsInstead);
        options.has_memory_option = true;
      });
  add_json(app, options.json);
}

/// Returns the name of a chart file. Throws ConfigError unless the name ends in .svg, .png, .pdf,
/// .json or .csv.
inline std::filesystem::path parse_chart_file(const std::string& text) {
  constexpr auto kEndings =
      std::to_array<std::string_view>({".svg", ".png", ".pdf", ".json", ".csv"});
  std::filesystem::path file = text;
  const std::string ending = file.extension().string();
  if (std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end()) return file;
  throw ConfigError(fmt::format("--chart must end in {}, got '{}'", one_of_text(kEndings), text));
}

inline void add_theory_chart(const Command& app, TheoryChartOptions& chart) {
  static constexpr auto kAgainst =
      std::to_array<std::string_view>({"num_keys", "bits_per_key", "num_hashes"});
  CLI::Option* file =
      app.value("--chart", "FILE",
                "file for a curve of the rate; its extension is .svg, .png, .pdf, .json (a "
                "Vega-Lite chart) or .csv (a table of the points) (default: the curve is not "
                "drawn)",
                [&chart](const std::string& text) { chart.file = parse_chart_file(text); });
  const Command group = app.group("With --chart");
  group.offer(
      group.value(
          "--against", "NAME",
          fmt::format("quantity on the x axis: {}; num_keys runs from 0 to twice -n, or over "
                      "powers of ten for a filter that grows (default num_keys)",
                      joined(kAgainst)),
          [&chart](const std::string& text) {
            chart.against = parse_choice("--against", kAgainst, text);
          }),
      kAgainst);
  add_picture_options(group, file, chart.style);
}

inline void add_theory(const Command& program, PointOptions& options, TheoryChartOptions& chart,
                       Action& action) {
  const Command app =
      program.subcommand("theory", "compute the theoretical false-positive rate of a filter");
  app.offer(
         app->add_option("VARIANT", options.variant,
                         "name of a variant (see `bloometry variants`), a list of variants like "
                         "standard,blocked, "
                         "which all get the same options, or another program's format, e.g. guava"),
         variant_names())
      ->required();
  add_point_options(
      app, options,
      {" (required)",
       " (the smallest filter with at most this rate is selected); an alternative to -m"});
  add_wide(app);
  add_theory_options(app, options);
  add_probes(app, options.request.probes);
  add_theory_chart(app, chart);
  app->footer(footer(
      {"bloometry theory standard -n 1e6 -m 9585059 -k 7 --json",
       "bloometry theory blocked -n 1e6 --bits-per-key 12 --chart blocked.pdf \\\n"
       "      --against bits_per_key --figure bare --width 330 --font-size 7",
       "bloometry theory standard,blocked -n 1e6 --bits-per-key 12 --chart both.svg",
       "bloometry theory guava -n 1e6 -p 0.01"},
      "Exactly one of -m, -p, --bits-per-key, --memory and --num-blocks is required. At most "
      "one of --probes and --probe-model is allowed. The "
      "caption of a picture is written to a .txt file beside it. A chart of several variants "
      "shows the best known rate of each, and the memory of each if it differs: a plain -m is a "
      "number of cells, and -m 10MB or --memory 10MB compares equal memory. With several variants, "
      "--json prints a list."));
  app->callback([&] {
    action = in_terms_of(point_options(), [&] {
      if (!chart.file.empty()) theory_chart_command(options, chart);
      return theory_command(options);
    });
  });
}

inline void add_size(const Command& program, PointOptions& options, Action& action) {
  const Command app =
      program.subcommand("size", "compute the missing values of n, p, m and k, for every variant");
  add_point_options(app, options, {" (default: computed)", " (default: computed)"});
  app.offer(
      app.names("--needs", options.request.needs,
                "features that a variant must have: erase, grow, merge, tick (it forgets keys), "
                "cache-line (a query reads one cache line) (default: none)"),
      std::to_array<std::string_view>({"erase", "grow", "merge", "tick", "cache-line"}));
  add_probes(app, options.request.probes);
  add_param(app, options.params);
  app.offer(app->add_option(
                "--emit", options.emit,
                "print code instead of the table: cpp (a program with the filter), cmake (the "
                "CMakeLists.txt of that program), guava (Java code), parquet (settings of "
                "Parquet writers) (default: print the table)"),
            std::to_array<std::string_view>({"cpp", "cmake", "guava", "parquet"}))
      ->type_name("NAME");
  app.offer(app->add_option(
                "--variant", options.variant,
                "filter variant in the code that --emit prints (default: the best variant, as "
                "defined below)"),
            variant_names())
      ->type_name("NAME");
  app->footer(footer(
      {"bloometry size -n 1e6 -p 0.01 --needs erase",
       "bloometry size -n 1e6 -p 0.01 --param counter_bits=3",
       "bloometry size -n 1e6 -p 0.01 --emit cpp > main.cpp"},
      "At least two of -n, -p and a size are required. The command computes the missing one. The "
      "size is one of -m, --memory and --bits-per-key; --bits-per-key requires -n. If all variants "
      "fail to "
      "satisfy the given -n, -p and size, the command prints the nearest possible value of "
      "each. With --param, only the variants that have the parameter are sized, and the others are "
      "listed with the reason. The best variant has the least memory. If a size is given, the best "
      "variant has the "
      "lowest rate for -n, or the most keys for -p.\nThe exit code is 1 if all variants fail to "
      "satisfy the given values."));
  app->callback(
      [&] { action = in_terms_of(size_options(), [&] { return size_command(options); }); });
}

}  // namespace bloometry
