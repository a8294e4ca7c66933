#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bloometry_build_info.hpp"
#include "core/error.hpp"
#include "core/isa/isa.hpp"
#include "core/text.hpp"
#include "experiments/cli/bash_completion.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/cli/command_line.hpp"
#include "experiments/cli/command_parts.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/filter_commands.hpp"
#include "experiments/cli/help_format.hpp"
#include "experiments/cli/hidden_passwords.hpp"
#include "experiments/cli/message.hpp"
#include "experiments/cli/option_names.hpp"
#include "experiments/cli/redis_commands.hpp"
#include "experiments/cli/startup.hpp"
#include "experiments/plan/chart_request.hpp"

namespace bloometry {
namespace {

void add_point_options(const Command& app, PointOptions& options, const SizeDefaults& defaults) {
  add_size_options(app, options, defaults);
  add_bits_per_key(app, options);
  app.value("--memory", "SIZE",
            "memory of the filter, in bits like 1e7 or bytes like 64MiB for every variant; an "
            "alternative to -m",
            [&options](const std::string& text) {
              if (options.num_cells || options.memory_bits) {
                throw ConfigError("--memory must be left out with -m: both determine the size");
              }
              options.memory_bits = parse_bits("--memory", text);
            });
  add_json(app, options.json);
}

/// Adds the options of `theory` except the variant's name and the size.
void add_theory_options(const Command& app, PointOptions& options) {
  add_num_blocks(app, options);
  app->add_option("--probe-model", options.probe_model,
                  "model of the probes of a key: W, drawn with replacement; D, distinct; P, one in "
                  "each of k slices (default: the first model of the variant)")
      ->type_name("NAME");
  add_param(app, options.params);
}

/// Returns the items unchanged. Throws ConfigError if an item is not in `allowed`.
std::vector<std::string> items_of(const std::string& option,
                                  std::span<const std::string_view> allowed,
                                  const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    if (std::find(allowed.begin(), allowed.end(), item) == allowed.end()) {
      throw ConfigError(option + " must be one of " + joined(allowed) + ", got '" + item + "'");
    }
  }
  return items;
}

std::string parse_choice(const std::string& option, std::span<const std::string_view> allowed,
                         const std::string& text) {
  return items_of(option, allowed, {text}).front();
}

std::uint64_t parse_width(const std::string& text) {
  constexpr const char* kAllowed = "a whole number from 200 to 4000";
  const std::uint64_t width = parse_whole("--width", kAllowed, text);
  if (width >= 200 && width <= 4000) return width;
  throw ConfigError(std::string("--width must be ") + kAllowed + ", got '" + text + "'");
}

double parse_font_size(const std::string& text) {
  const double size = parse_real("--font-size", "a number in [4, 40]", text);
  if (size >= 4 && size <= 40) return size;
  throw ConfigError("--font-size must be a number in [4, 40], got '" + text + "'");
}

/// Adds the options that change pictures but not the charts on the page. Each of these options
/// requires the option `picture`, which requests the pictures.
void add_picture_options(const Command& group, CLI::Option* picture, chart::ExportStyle& style) {
  static constexpr auto kFigures = std::to_array<std::string_view>({"full", "bare"});
  group.value("--figure", "NAME",
              "style of the picture: full, or bare, which omits title and caption (default full)",
              [&style](const std::string& text) {
                style.is_bare = parse_choice("--figure", kFigures, text) == "bare";
              });
  group.value(
      "--width", "N",
      "width of the picture with its legend in pixels at 96 per inch, 200 to 4000; a png has twice "
      "this resolution (default: fitted to the chart)",
      [&style](const std::string& text) { style.width = parse_width(text); });
  group.value(
      "--font-size", "X",
      "size of tick labels in points, 4 to 40; other text scales in proportion (default 8.25)",
      [&style](const std::string& text) { style.font_size = parse_font_size(text); });
  for (CLI::Option* option : group->get_options()) option->needs(picture);
}

/// Returns the name of a picture file. Throws ConfigError if the ending of the name is not that of
/// a picture format.
std::filesystem::path parse_chart_file(const std::string& text) {
  constexpr auto kEndings = std::to_array<std::string_view>({".svg", ".png", ".pdf", ".json"});
  std::filesystem::path file = text;
  const std::string ending = file.extension().string();
  if (std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end()) return file;
  throw ConfigError("--chart must end in " + joined(kEndings) + ", got '" + text + "'");
}

void add_theory_chart(const Command& app, TheoryChartOptions& chart) {
  static constexpr auto kAgainst =
      std::to_array<std::string_view>({"num_keys", "bits_per_key", "num_hashes"});
  CLI::Option* file = app.value(
      "--chart", "FILE",
      "draw the rate as a curve in FILE, which must end in .svg, .png, .pdf or .json (a Vega-Lite "
      "chart); the caption of a picture is written to a .txt file beside it (default: no chart)",
      [&chart](const std::string& text) { chart.file = parse_chart_file(text); });
  const Command group = app.group("With --chart");
  group.value(
      "--against", "NAME",
      "quantity on the x axis: " + joined(kAgainst) +
          " (default num_keys; the axis runs from 0 to twice -n, or over powers of ten for a "
          "filter that grows)",
      [&chart](const std::string& text) {
        chart.against = parse_choice("--against", kAgainst, text);
      });
  add_picture_options(group, file, chart.style);
}

void add_theory(const Command& program, PointOptions& options, TheoryChartOptions& chart,
                Action& action) {
  const Command app =
      program.subcommand("theory", "compute the theoretical false-positive rate of a filter");
  app->add_option(
         "VARIANT", options.variant,
         "name of a variant, see `bloometry variants`; or of another program's format, e.g. guava")
      ->required();
  add_point_options(app, options,
                    {" (required)", "; selects the smallest filter with at most this rate"});
  add_theory_options(app, options);
  add_theory_chart(app, chart);
  app->footer(
      footer({"bloometry theory standard -n 1e6 -m 9585059 -k 7 --json",
              "bloometry theory blocked -n 1e6 --bits-per-key 12 --chart blocked.pdf \\\n"
              "      --against bits_per_key --figure bare --width 330 --font-size 7",
              "bloometry theory guava -n 1e6 -p 0.01"},
             "Exactly one of -m, -p, --bits-per-key, --memory and --num-blocks is required."));
  app->callback([&] {
    action = in_terms_of(point_options(), [&] {
      if (!chart.file.empty()) theory_chart_command(options, chart);
      return theory_command(options);
    });
  });
}

void add_size(const Command& program, PointOptions& options, Action& action) {
  const Command app =
      program.subcommand("size", "compute the missing values of n, p, m and k, for every variant");
  add_point_options(app, options, {" (default: computed)", " (default: computed)"});
  app.names("--needs", options.needs,
            "features that a variant must have: erase, grow, merge, cache-line (a query reads one "
            "cache line) (default: none)");
  app->add_option("--emit", options.emit,
                  "print code instead of the table: cpp (a program with the filter), cmake (the "
                  "CMakeLists.txt of that program), guava (Java code), parquet (properties of its "
                  "writers) (default: print the table)")
      ->type_name("NAME");
  app->add_option("--variant", options.variant,
                  "variant of the printed code (default: the variant with the least memory; if a "
                  "size is given, the variant with the lowest rate or the most keys)")
      ->type_name("NAME");
  app->footer(footer(
      {"bloometry size -n 1e6 -p 0.01 --needs erase",
       "bloometry size -n 1e6 -p 0.01 --emit cpp > main.cpp"},
      "At least two of -n, -p and a size are required, and the others are computed. The size is "
      "one of -m, --memory and "
      "--bits-per-key. If -n, -p and a size are given and no variant satisfies them, the command "
      "prints "
      "the nearest possible value of each.\nThe exit code is 1 if no variant satisfies the given "
      "values."));
  app->callback(
      [&] { action = in_terms_of(size_options(), [&] { return size_command(options); }); });
}

Engine parse_engine(const std::string& text) {
  if (text == "auto") return Engine::kAuto;
  if (text == "direct") return Engine::kDirect;
  if (text == "naive") return Engine::kNaive;
  throw ConfigError("--engine must be one of auto, direct, naive, got '" + text + "'");
}

/// Adds the options for running or validating a config.
void add_sweep_options(const Command& app, SweepRunOptions& options) {
  app->add_option("CONFIG", options.config,
                  "config, a JSON file; see experiments/configs and `bloometry sweep schema`")
      ->required();
  app.count_within("--threads", options.num_threads, 1, 1024,
                   "maximum number of threads, 1 to 1024; fewer run if memory is short (default: "
                   "one per core)");
  app.value(
      "--memory", "SIZE",
      "maximum memory for the keys, tables and filters of all threads, e.g. 8GiB (default: 2GiB, "
      "or more if one unit needs more; never above three quarters of the machine's memory)",
      [&options](const std::string& text) {
        options.memory_bytes = parse_bytes("--memory", text);
      });
  app.value("--engine", "NAME",
            "method of measurement, without effect on the rows: auto (the fastest), direct (one "
            "filter per number of hashes) or naive (one filter per point) (default auto)",
            [&options](const std::string& text) { options.engine = parse_engine(text); });
  app->add_option("--out", options.out,
                  "run folder; finished units in it are kept if its config has the same name and "
                  "seed (default: results/<name>/<run id>)")
      ->type_name("DIR");
  app->add_flag("--fresh", options.is_fresh,
                "run every unit again (default: copy finished units from earlier runs in "
                "results/<name>, unless --out is given or --engine is not auto)");
}

void add_sweep_run(const Command& sweep, SweepRunOptions& options, Action& action) {
  const Command app =
      sweep.subcommand("run", "run a config; the same command resumes an interrupted run");
  add_sweep_options(app, options);
  app->footer(footer({"bloometry sweep run experiments/configs/fpr_vs_theory.json --threads 2"}));
  app->callback(
      [&] { action = in_terms_of(sweep_options(), [&] { return sweep_run_command(options); }); });
}

/// Paths and flags of the commands with few options.
struct SmallOptions {
  std::filesystem::path path;
  bool json = false;
};

void add_sweep(const Command& program, SweepRunOptions& run, SmallOptions& small, Action& action) {
  const Command sweep =
      program.subcommand("sweep", "measure the false-positive rates of many filters");
  sweep->footer(footer({"bloometry sweep validate experiments/configs/fpr_vs_theory.json",
                        "bloometry sweep run experiments/configs/fpr_vs_theory.json"}));
  sweep->require_subcommand(1);
  add_sweep_run(sweep, run, action);

  const Command validate = sweep.subcommand("validate", "check a config and print its cost");
  add_sweep_options(validate, run);
  add_json(validate, small.json);
  validate->footer(footer({"bloometry sweep validate experiments/configs/fpr_vs_theory.json"}));
  validate->callback([&] {
    action = in_terms_of(sweep_options(), [&] { return sweep_validate_command(run, small.json); });
  });

  const Command status = sweep.subcommand("status", "print the progress of a run folder");
  status->add_option("DIR", small.path, "run folder")->required();
  add_json(status, small.json);
  status->footer(footer({"bloometry sweep status results/fpr_vs_theory/0123456789ab"},
                        "The exit code is 1 if the run is incomplete."));
  status->callback([&] { action = [&] { return sweep_status_command(small.path, small.json); }; });

  const Command schema = sweep.subcommand("schema", "print the JSON Schema of configs");
  schema->footer(footer({"bloometry sweep schema > schema.json"}));
  schema->callback([&] { action = sweep_schema_command; });

  const Command repair = sweep.subcommand(
      "repair",
      "remove damaged lines from the files of a run folder, so that the run can be resumed");
  repair->add_option("DIR", small.path, "run folder")->required();
  add_json(repair, small.json);
  repair->footer(footer({"bloometry sweep repair results/fpr_vs_theory/0123456789ab"}));
  repair->callback([&] { action = [&] { return sweep_repair_command(small.path, small.json); }; });
}

void add_export_options(const Command& app, chart::ExportRequest& exported) {
  static constexpr auto kFormats = std::to_array<std::string_view>({"svg", "png", "pdf"});
  CLI::Option* formats = app.list(
      "--export",
      "also write each chart as a picture in these formats: svg, png, pdf; the caption is written "
      "to a .txt file beside it (default: no pictures)",
      [&exported](const std::vector<std::string>& names) {
        exported.formats = items_of("--export", kFormats, names);
      });
  add_picture_options(app.group("With --export"), formats, exported.style);
}

void add_report(const Command& program, ReportOptions& options, Action& action) {
  const Command app =
      program.subcommand("report", "write summary.csv, charts and report.html for a run");
  app->add_option("DIR", options.folder, "run folder")->required();
  app.list(
      "--charts",
      "charts to draw: " + joined(kChartNames) +
          " (default: the charts in the config; if it does not name any, all for which the run has "
          "data)",
      [&options](const std::vector<std::string>& names) {
        options.charts = items_of("--charts", kChartNames, names);
      });
  app.value(
      "--facet", "NAME",
      "axis whose values have separate panels, in charts with series: " + joined(kChartAxisNames) +
          " or none (a single panel) (default: the axis in the config; if it does not name "
          "one, as many panels as needed)",
      [&options](const std::string& text) {
        options.facet = text == kNoFacet ? text : parse_choice("--facet", kChartAxisNames, text);
      });
  app.list("--bench",
           "output files of `bloometry bench --json`, one per value of -p, for the chart "
           "ns_vs_rate of query time against rate (default: no such chart)",
           [&options](const std::vector<std::string>& files) {
             options.bench.assign(files.begin(), files.end());
           });
  add_export_options(app, options.exported);
  app->footer(footer({"bloometry report results/fpr_vs_theory/0123456789ab --export svg,png",
                      "bloometry report results/fpr_vs_theory/0123456789ab --export pdf \\\n"
                      "      --charts rate_vs_bits_per_key --facet none \\\n"
                      "      --figure bare --width 330 --font-size 7"}));
  app->callback([&] { action = [&] { return report_command(options); }; });
}

Exercises parse_exercises(const std::vector<std::string>& names) {
  Exercises exercises;
  for (const std::string& name : names) {
    if (name == "merge") {
      exercises.merge = true;
    } else if (name == "erase") {
      exercises.erase = true;
    } else if (name == "saturation") {
      exercises.saturation = true;
    } else {
      throw ConfigError("--exercise must be one of merge, erase, saturation, got '" + name + "'");
    }
  }
  return exercises;
}

/// Adds the options of `verify` that apply only with --subject.
void add_subject_options(const Command& app, VerifySubjectOptions& options) {
  CLI::Option* command = app->add_option(
      "--subject", options.command,
      "command that starts another program; its filter is tested through the line protocol in "
      "experiments/subject/README.md (default: TARGET is tested)");
  command->type_name("COMMAND");
  const Command subject = app.group("With --subject");
  subject
      ->add_option("--claim", options.claim.variant,
                   "variant whose theory the program's filter must match: standard, counting, "
                   "partitioned, blocked, blocked_counting, split_block or lanes; required with "
                   "--subject")
      ->type_name("NAME");
  add_size_options(
      subject, options.claim,
      {"; required with --subject", "; selects the smallest filter with at most this rate"});
  add_theory_options(subject, options.claim);
  subject.count("--filters", options.settings.num_filters,
                "number of filters that the program builds, 1 to 16000 (default: as many as "
                "--deviation requires)");
  subject.count(
      "--queries", options.settings.num_queries,
      "queries of absent keys per filter and load, 1 to 1e12 (default: as many as --deviation "
      "requires)");
  subject.real_within("--deviation", options.settings.goal.deviation, 1e-4, 0.9,
                      "smallest relative deviation from the theoretical rate that the test must "
                      "detect, 1e-4 to 0.9 (default 0.1)");
  subject.count("--member-queries", options.settings.max_member_queries,
                "maximum number of queries of inserted keys per filter and load, 1 to 1e12 "
                "(default 1e5)");
  subject.list(
      "--loads",
      "numbers of keys at which the filter is measured, as multiples of -n from 1e-6 to 100 "
      "(default 0.25,1,2)",
      [&options](const std::vector<std::string>& texts) {
        options.settings.loads.clear();
        for (const std::string& text : texts) {
          options.settings.loads.push_back(parse_real("--loads", "numbers in [1e-06, 100]", text));
        }
      });
  CLI::Option* sequential = subject->add_flag_callback(
      "--sequential", [&options] { options.settings.sequential = true; },
      "stop as soon as the verdict is clear (default)");
  subject
      ->add_flag_callback(
          "--fixed", [&options] { options.settings.sequential = false; },
          "query all planned keys before the verdict (default: --sequential)")
      ->excludes(sequential);
  subject->add_flag("--allow-undecided", options.allow_undecided,
                    "exit with code 0 if the queries run out before the verdict is clear "
                    "(default: exit with code 1)");
  subject.list(
      "--exercise",
      "operations to test in addition to inserts and queries: merge, erase or saturation of "
      "counters; the program must support the request `merge` for merge, and the request `erase` "
      "for erase and saturation (default: none)",
      [&options](const std::vector<std::string>& names) {
        options.settings.exercises = parse_exercises(names);
      });
  subject.names("--keys", options.keys,
                "sources of integer keys, each tested separately: " + joined(integer_sources()) +
                    " (default random)");
  subject
      ->add_option("--encoding", options.encoding,
                   "format in which keys are sent: hex, decimal or bytes (default hex)")
      ->type_name("NAME");
  subject.count("--seed", options.seed, "seed of the keys (default 1)");
  subject.real("--timeout", options.timeout_s, "a number of seconds in (0, 1e6]",
               "stop if the program does not read or write for this number of seconds, or does not "
               "complete an answer within ten times this number (default 60)");
  subject
      ->add_option("--junit", options.junit,
                   "write a JUnit report to this file (default: no report)")
      ->type_name("FILE");
  subject->add_flag("--quiet", options.quiet, "do not print progress");
  for (CLI::Option* option : subject->get_options()) option->needs(command);
}

int verify(VerifyOptions run, VerifySubjectOptions subject) {
  if (subject.command.empty()) {
    if (run.target.empty()) throw ConfigError("TARGET or --subject must be given");
    return verify_command(run);
  }
  if (!run.target.empty()) throw ConfigError("TARGET must be left out with --subject");
  if (subject.claim.variant.empty()) throw ConfigError("--claim must be given with --subject");
  subject.json = run.json;
  subject.settings.goal.false_alarm = run.false_alarm;
  return verify_subject_command(subject);
}

void add_verify(const Command& program, VerifyOptions& options, VerifySubjectOptions& subject,
                Action& action) {
  const Command app = program.subcommand(
      "verify", "test whether a run or another program's filter agrees with theory");
  app->add_option("TARGET", options.target,
                  "run folder, or a config, which is run first; required without --subject");
  app.real_within("--false-alarm", options.false_alarm, 1e-300, 0.5,
                  "probability that a correct run or filter is rejected, 1e-300 to 0.5 (default "
                  "1e-6)");
  add_json(app, options.json);
  add_subject_options(app, subject);
  app->footer(footer(
      {"bloometry verify experiments/configs/smoke/standard.json",
       "bloometry verify --subject './my_filter' --claim standard -n 1000 -m 9586 -k 7"},
      "With --subject, exactly one of -m, -p and --num-blocks is required.\nThe exit code is 1 if "
      "the run or filter is rejected, the verdict is undecided or there is nothing to test."));
  app->callback([&] {
    action = in_terms_of(point_options(),
                         in_terms_of(subject_options(), [&] { return verify(options, subject); }));
  });
}

void add_bench_numbers(const Command& app, bench::BenchSettings& settings) {
  app.list("-n", "numbers of inserted keys, 1000 to 2^32, e.g. 1e5,1e6 (default 1e6)",
           [&settings](const std::vector<std::string>& texts) {
             settings.num_keys.clear();
             for (const std::string& text : texts)
               settings.num_keys.push_back(
                   parse_whole("-n", "whole numbers from 1000 to 2^32 like 1e5,1e6", text));
           });
  app.real("-p", settings.rate, kRateAllowed,
           "false-positive rate for which the filters are sized (default 0.01)");
  // A number out of range is reported by make_bench_plan(), together with all other mistakes.
  app.value("--repetitions", "N", "measurements per printed time, 1 to 1000 (default 5)",
            [&settings](const std::string& text) {
              settings.num_repetitions =
                  parse_whole("--repetitions", "a whole number from 1 to 1000", text);
            });
  app.value("--queries", "N", "timed queries per measurement, 1000 per thread to 1e9 (default 1e6)",
            [&settings](const std::string& text) {
              settings.num_queries =
                  parse_whole("--queries", "a whole number from 1000 to 1e9", text);
            });
  app.count("--seed", settings.seed, "seed of keys and hash (default 1)");
  app.list(
      "--threads",
      "numbers of threads, at most one per core, that query one filter at the same time and fill "
      "it if it is atomic, e.g. 1,2; 1 is always measured (default 1)",
      [&settings](const std::vector<std::string>& texts) {
        settings.threads.clear();
        for (const std::string& text : texts) {
          settings.threads.push_back(static_cast<unsigned>(std::min<std::uint64_t>(
              parse_whole("--threads", "whole numbers from 1 to the number of cores like 1,2",
                          text),
              std::numeric_limits<unsigned>::max())));
        }
      });
  app.value("--initial-capacity", "N",
            "initial capacity in keys of filters that grow, 1 to 2^32 (default: the value of -n)",
            [&settings](const std::string& text) {
              settings.initial_capacity =
                  parse_whole("--initial-capacity", "a whole number from 1 to 2^32", text);
            });
}

/// Sets the defaults of --quick. Options on the command line keep their values.
void make_quick(const CLI::App& app, bench::BenchSettings& settings) {
  if (app.count("-n") == 0) settings.num_keys = {100'000};
  if (app.count("--repetitions") == 0) settings.num_repetitions = 3;
  if (app.count("--queries") == 0) settings.num_queries = 100'000;
}

/// Returns the sources of integer keys that follow a pattern.
std::vector<std::string> bench_patterns() {
  std::vector<std::string> names = integer_sources();
  std::erase(names, "random");
  return names;
}

void add_bench(const Command& program, BenchOptions& options, Action& action) {
  const Command app = program.subcommand("bench", "measure the time per key of every filter");
  app.names("--variants", options.settings.targets,
            "filters to measure (default: all, including those of other libraries; atomic filters "
            "only if --threads has a number above 1)");
  add_bench_numbers(app, options.settings);
  app.names(
      "--ops", options.settings.ops,
      "operations to measure: insert, negative (queries of absent keys), mix (queries of "
      "absent and inserted keys in equal numbers), positive (queries of inserted keys), erase "
      "(default: all)");
  app.names("--keys", options.settings.keys,
            "keys: random, for random 64-bit integers; string, for random strings of 20 bytes; or "
            "integers that follow a pattern: " +
                joined(bench_patterns()) + " (default random,string)");
  std::string hashes;
  for (const std::string_view name : bench::bench_hashes()) {
    hashes.append(hashes.empty() ? "" : ", ").append(name);
  }
  app->add_option("--hash", options.settings.hash,
                  "hash of this library's filters: " + hashes + " (default " +
                      std::string(bench::bench_hashes().front()) + ")")
      ->type_name("NAME");
  app->add_flag("--quick", options.quick,
                "finish within seconds: the defaults become -n 1e5 --repetitions 3 --queries 1e5");
  app->add_option("--out", options.out,
                  "folder for bench.json and charts; the same command resumes an interrupted "
                  "benchmark (default: results are printed, but not stored)")
      ->type_name("DIR");
  app->add_flag("--fresh", options.is_fresh,
                "measure everything again and replace the results in --out (default: resume)");
  add_json(app, options.json);
  app->footer(footer({"bloometry bench --quick",
                      "bloometry bench -n 1e6 --variants standard,partitioned --keys random"}));
  app->callback([&options, &action, app] {
    if (options.quick) make_quick(*app.app(), options.settings);
    action = in_terms_of(bench_options(), [&options] { return bench_command(options); });
  });
}

void add_variants(const Command& program, SmallOptions& small, Action& action) {
  const Command app =
      program.subcommand("variants", "list every variant: paper, operations, parameters");
  add_json(app, small.json);
  app->footer(footer({"bloometry variants", "bloometry variants --json"}));
  app->callback([&] { action = [&] { return variants_command(small.json); }; });
}

void add_completion(const Command& program, std::string& shell, Action& action) {
  static constexpr auto kShells = std::to_array<std::string_view>({"bash"});
  const Command app = program.subcommand("completion", "print the completion script for bash");
  app.value("SHELL", "NAME",
            "name of the shell: bash; zsh can read the script for bash after `bashcompinit`",
            [&shell](const std::string& text) { shell = parse_choice("SHELL", kShells, text); })
      ->required();
  app->footer(footer({"source <(bloometry completion bash)"}));
  app->callback([&action, &program] {
    action = [&program] {
      std::cout << bash_completion(*program.app());
      return kDone;
    };
  });
}

/// Parses the command line and reports all of its mistakes. Mistakes that CLI11 finds are reported
/// last.
/// @return an exit code if the program must not run a command, for instance after --help.
std::optional<int> parse(const Command& program, int argc, char** argv,
                         ProblemCollector& problems) {
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program->exit(error);
    problems.collect([&] {
      throw ConfigError(plain_message(error, command_of(program, argc, argv)) + " (see --help" +
                        suggested_options(program, argc, argv) + ")");
    });
  }
  problems.throw_if_any();
  return std::nullopt;
}

int parse_and_run(int argc, char** argv, const HiddenPasswords& passwords) {
  CLI::App app("Bloom filters, measured against exact theory.", "bloometry");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("-V,--version", std::string(BLOOMETRY_VERSION),
                       "print the version and exit");
  app.require_subcommand(1);
  app.footer(
      footer({"bloometry theory standard -n 1e6 -m 9585059 -k 7", "bloometry sweep run --help"},
             "The exit code is 0 for success, 1 for a negative answer, 2 for bad input, 3 "
             "for a failed operation and 130 after an interrupt."));
  ProblemCollector problems;
  const Command program(&app, problems);

  PointOptions point;
  TheoryChartOptions theory_chart;
  SweepRunOptions run;
  SmallOptions small;
  ReportOptions report;
  VerifyOptions verify;
  VerifySubjectOptions subject;
  BenchOptions bench;
  FilterOptions filter;
  RedisOptions redis;
  std::string shell;
  Action action;
  add_variants(program, small, action);
  add_theory(program, point, theory_chart, action);
  add_size(program, point, action);
  add_sweep(program, run, small, action);
  add_report(program, report, action);
  add_verify(program, verify, subject, action);
  add_bench(program, bench, action);
  add_filter(program, filter, action);
  add_redis(program, redis, action, passwords);
  add_completion(program, shell, action);

  require_known_command(program, argc, argv);
  const std::optional<int> code = parse(program, argc, argv, problems);
  return code ? *code : action();
}

int fail(ExitCode code, const std::string& line) {
  print_message(line);
  return code;
}

/// Runs the program. Catches every exception and prints one line per problem.
int run_program(int argc, char** argv, const HiddenPasswords& passwords) {
  try {
    require_valid_isa_choice();
    const int code = parse_and_run(argc, argv, passwords);
    std::cout.flush();
    return std::cout ? code : fail(kCouldNotBeDone, "standard output could not be written");
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) print_message(problem.line());
    return kBadInput;
  } catch (const IoError& error) {
    return fail(kCouldNotBeDone, error.what());
  } catch (const MemoryError& error) {
    return fail(kCouldNotBeDone, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kCouldNotBeDone, "not enough memory; use a smaller filter or sweep");
  } catch (const std::exception& error) {
    return fail(kCouldNotBeDone, std::string("internal error, please report it: ") + error.what());
  }
}

}  // namespace
}  // namespace bloometry

int main(int argc, char** argv) {
  const bloometry::HiddenPasswords passwords({argv, static_cast<std::size_t>(argc)});
  if (!bloometry::prepare_process()) return bloometry::kCouldNotBeDone;
  std::vector<char*> words = bloometry::without_help_command(argc, argv);
  return bloometry::run_program(static_cast<int>(words.size()), words.data(), passwords);
}
