#pragma once

#include <fmt/core.h>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/text/quantity.hpp"

/// The commands of `bloometry sweep`. Only main.cpp includes this file, because CLI11 needs seconds
/// to compile.
namespace bloometry {

inline Engine parse_engine(const std::string& text) {
  if (text == "auto") return Engine::kAuto;
  if (text == "direct") return Engine::kDirect;
  if (text == "naive") return Engine::kNaive;
  throw ConfigError(fmt::format("--engine must be one of auto, direct, naive, got '{}'", text));
}

inline constexpr const char* kUnitText =
    "A unit is the smallest piece of work that can be resumed: all points (n, k) of one size, "
    "variant and trial.";

/// Adds the options for running or validating a config.
inline void add_config(const Command& app, SweepRunOptions& options) {
  app->add_option("CONFIG", options.config,
                  "config, a JSON file; see experiments/configs and `bloometry sweep schema`")
      ->required();
}

/// Adds the former name of --max-memory, which help texts omit and which is always an error.
inline void add_former_memory(const Command& app) {
  app.value("--memory", "SIZE", "former name of --max-memory",
            [](const std::string&) {
              throw ConfigError(
                  "--memory must be written --max-memory, because it limits the memory of the "
                  "program and not that of a filter");
            })
      ->expected(0, 1)
      ->group("");
}

inline void add_sweep_options(const Command& app, SweepRunOptions& options) {
  app.count_within("--threads", options.num_threads, 1, 1024,
                   "maximum number of threads, 1 to 1024; fewer threads run if memory is short "
                   "(default: one per core)");
  app.value(
      "--max-memory", "SIZE",
      "maximum memory for the keys, tables and filters of all threads, in bytes with a unit, e.g. "
      "8GiB or 8GB (default: 2GiB, or more if one unit needs more; never above three quarters of "
      "the machine's memory)",
      [&options](const std::string& text) {
        options.max_memory_bytes = parse_bytes("--max-memory", text);
      });
  add_former_memory(app);
  app.offer(
      app.value(
          "--engine", "NAME",
          "method of measurement, which does not change the results: auto (the fastest), direct "
          "(one filter per number of hashes) or naive (one filter per point) (default auto)",
          [&options](const std::string& text) { options.engine = parse_engine(text); }),
      std::to_array<std::string_view>({"auto", "direct", "naive"}));
  app->add_option("--out", options.out,
                  "run folder: new, empty, or that of a run with the same name and seed; finished "
                  "units are kept (default: results/<name>/<run id>)")
      ->type_name("DIR");
  app->add_flag("--fresh", options.is_fresh,
                "run every unit again (default: copy finished units from earlier runs in "
                "results/<name>, unless --out is given or --engine is not auto)");
  app->add_flag("--replace", options.replaces,
                "accept a run folder with rows of another config, and drop these rows from "
                "trials.csv; parts/ keeps them (default: such a folder is refused)");
}

inline void add_sweep_run(const Command& sweep, SweepRunOptions& options, Action& action) {
  const Command app =
      sweep.subcommand("run", "run a config; the same command resumes an interrupted run");
  add_config(app, options);
  add_sweep_options(app, options);
  app->add_flag("--json", options.json,
                "print the folder and the numbers of rows and units as JSON instead of text");
  app->footer(footer({"bloometry sweep run experiments/configs/fpr_vs_theory.json --threads 2"},
                     kUnitText));
  app->callback(
      [&] { action = in_terms_of(sweep_options(), [&] { return sweep_run_command(options); }); });
}

inline void add_sweep(const Command& program, SweepRunOptions& run, SmallOptions& small,
                      Action& action) {
  const Command sweep =
      program.subcommand("sweep", "measure the false-positive rates of many filters");
  sweep->footer(footer({"bloometry sweep validate experiments/configs/fpr_vs_theory.json",
                        "bloometry sweep run experiments/configs/fpr_vs_theory.json"}));
  sweep->require_subcommand(1);
  add_sweep_run(sweep, run, action);

  const Command validate = sweep.subcommand(
      "validate", "check a config and print the time and memory that its run needs");
  add_config(validate, run);
  add_json(validate, small.json);
  add_wide(validate);
  add_sweep_options(validate.group("Options of the planned sweep run"), run);
  validate->footer(
      footer({"bloometry sweep validate experiments/configs/fpr_vs_theory.json"},
             std::string("A run folder that `sweep run` would refuse is refused with the same "
                         "message and exit code 2.\n") +
                 kUnitText));
  validate->callback([&] {
    action = in_terms_of(sweep_options(), [&] { return sweep_validate_command(run, small.json); });
  });

  const Command status = sweep.subcommand("status", "print the progress of a run folder");
  status->add_option("DIR", small.path, "run folder")->required();
  add_json(status, small.json);
  add_wide(status);
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

}  // namespace bloometry
