#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/target.hpp"
#include "experiments/cli/bench/bench_options.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/text/quantity.hpp"
#include "experiments/workload/integer_source.hpp"

/// The command `bloometry bench`. Only main.cpp includes this file, because CLI11 needs seconds to
/// compile.
namespace bloometry {

inline void add_bench_numbers(const Command& app, bench::BenchSettings& settings) {
  app.numbers("-n", 1000, "numbers of inserted keys, 1000 to 2^32, e.g. 1e5,1e6 (default 1e6)",
              [&settings](const std::vector<std::string>& texts) {
                settings.num_keys.clear();
                for (const std::string& text : texts)
                  settings.num_keys.push_back(
                      parse_whole("-n", "whole numbers in [1000, 2^32] like 1e5,1e6", text));
              });
  app.real("-p", settings.rate, kRateAllowed,
           "false-positive rate for which the filters are sized (default 0.01)");
  // A number out of range is reported by make_bench_plan(), together with all other mistakes.
  app.value("--repetitions", "N", "measurements per printed time, 1 to 1000 (default 5)",
            [&settings](const std::string& text) {
              settings.num_repetitions =
                  parse_whole("--repetitions", "a whole number in [1, 1000]", text);
            });
  app.value("--queries", "N",
            "timed queries per measurement, at least 1000 per thread and at most 1e9 (default 1e6)",
            [&settings](const std::string& text) {
              settings.num_queries =
                  parse_whole("--queries", "a whole number in [1000, 1e9]", text);
            });
  app.seed(settings.seed, "seed of keys and hash (default 1)");
  app.numbers(
      "--threads", 1,
      "numbers of threads that query one filter concurrently, at most one per core, e.g. "
      "1,2; atomic filters are also filled by several threads (default 1, which is always "
      "measured)",
      [&settings](const std::vector<std::string>& texts) {
        settings.threads.clear();
        for (const std::string& text : texts) {
          settings.threads.push_back(static_cast<unsigned>(std::min<std::uint64_t>(
              parse_whole("--threads",
                          "whole numbers in [1, the number of usable cores], such as 1,2", text),
              std::numeric_limits<unsigned>::max())));
        }
      });
  app.value(
      "--initial-capacity", "N",
      "initial capacity, in keys, of filters that grow, 1 to 2^32 (default: each value of -n)",
      [&settings](const std::string& text) {
        settings.initial_capacity =
            parse_whole("--initial-capacity", "a whole number in [1, 2^32]", text);
      });
}

/// Sets the defaults of --quick. Options on the command line keep their values.
inline void make_quick(const CLI::App& app, bench::BenchSettings& settings) {
  if (app.count("-n") == 0) settings.num_keys = {100'000};
  if (app.count("--repetitions") == 0) settings.num_repetitions = 3;
  if (app.count("--queries") == 0) settings.num_queries = 100'000;
}

/// Returns the sources of integer keys that follow a pattern.
inline std::vector<std::string> bench_patterns() {
  std::vector<std::string> names = integer_sources();
  std::erase(names, "random");
  return names;
}

inline std::vector<std::string_view> bench_ops() {
  std::vector<std::string_view> names;
  for (const bench::Op op : bench::kAllOps) names.push_back(bench::name_of(op));
  return names;
}

/// Returns the names of all filters, including those of other libraries.
inline std::vector<std::string> bench_filters() {
  std::vector<std::string> names;
  for (const bench::TargetKind& kind : bench::all_targets()) names.emplace_back(kind.name);
  return names;
}

/// Throws ConfigError if an option other than --json and --wide is given with two files, because
/// nothing is measured then.
inline void require_only_files(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && name != "--compare" && name != "--json" && name != "--wide") {
      throw ConfigError(fmt::format(
          "{} must be left out if --compare has two files, which are not measured again", name));
    }
  }
}

inline void add_bench(const Command& program, BenchOptions& options, Action& action) {
  const Command app = program.subcommand("bench", "measure the time per key of every filter");
  app.offer(app.names("--variants", options.settings.targets,
                      fmt::format(
                          "filters to measure: {} (default: all; atomic filters only if --threads "
                          "contains a number above 1)",
                          joined(bench_filters()))),
            bench_filters());
  add_bench_numbers(app, options.settings);
  app.offer(
      app.names(
          "--ops", options.settings.ops,
          "operations to measure: insert, negative (queries of absent keys), mix (queries of "
          "absent and inserted keys in equal numbers), positive (queries of inserted keys), erase "
          "(default: all)"),
      bench_ops());
  app.offer(
      app.names("--keys", options.settings.keys,
                fmt::format("kinds of keys: random (64-bit integers), string (random strings of 20 "
                            "bytes), or a pattern of integers: {} (default random,string)",
                            joined(bench_patterns()))),
      bench::all_bench_keys());
  const std::vector<std::string_view> hashes = bench::bench_hashes();
  app.offer(app->add_option("--hash", options.settings.hash,
                            fmt::format("hash of all filters except libbloom: {} (default {})",
                                        joined(hashes), hashes.front())),
            hashes)
      ->type_name("NAME");
  app->add_flag("--quick", options.quick,
                "finish within seconds: the defaults become -n 1e5 --repetitions 3 --queries 1e5");
  app->add_option("--out", options.out,
                  "folder for bench.json and charts; the same command resumes an interrupted "
                  "benchmark (default: results are printed, but not stored)")
      ->type_name("DIR");
  app->add_flag("--fresh", options.is_fresh,
                "measure everything again and replace the results in --out (default: resume)");
  app->add_option("--compare", options.compared,
                  "compare with an earlier benchmark (a file of --json, or bench.json of --out); "
                  "with a second file, compare the two files and measure nothing")
      ->expected(1, 2)
      ->type_name("FILE");
  add_json(app, options.json);
  add_wide(app);
  app->footer(footer({"bloometry bench --quick",
                      "bloometry bench -n 1e6 --variants standard,partitioned --keys random",
                      "bloometry bench --compare before.json after.json"},
                     "With --compare, the exit code is 1 if a time is slower."));
  app->callback([&options, &action, app] {
    if (options.compared.size() == 2) require_only_files(*app.app());
    if (options.quick) make_quick(*app.app(), options.settings);
    action = in_terms_of(bench_options(), [&options] { return bench_command(options); });
  });
}

}  // namespace bloometry
