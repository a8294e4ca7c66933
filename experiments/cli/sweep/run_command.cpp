#include <unistd.h>

#include <filesystem>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "experiments/cli/sweep/sweep_folders.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/sweep/run_sweep.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/text/shell_text.hpp"

namespace bloometry {
namespace {

SweepOptions sweep_options(const SweepRunOptions& options, const Config& config,
                           std::optional<PlanningLine>& planning) {
  return {.folder = run_folder_of(options, config),
          .num_threads = options.num_threads,
          .engine = options.engine,
          .max_memory_bytes = options.max_memory_bytes,
          .earlier_runs = earlier_runs(options, config),
          .observe_planning = [&](std::uint64_t num_rows) { planning->show(num_rows); },
          .other_rows = options.replaces ? OtherRows::kReplace : OtherRows::kRefuse};
}

void print_start(const SweepProgress& progress, unsigned num_threads_requested) {
  if (progress.num_threads < num_threads_requested) {
    std::cerr << progress.num_threads << " of " << num_threads_requested
              << " threads run, because more do not fit in memory (see --max-memory)\n";
  }
  if (progress.num_left_out > 0) {
    std::cerr << plural(progress.num_left_out, "unit") << " of this folder "
              << (progress.num_left_out == 1 ? "belongs to an earlier config: it remains"
                                             : "belong to an earlier config: they remain")
              << " in parts/, and trials.csv contains only rows of this config; an existing report "
                 "describes the earlier config\n";
  }
  if (progress.num_found_finished == 0) return;
  std::cerr << grouped(progress.num_found_finished) << " of " << plural(progress.num_units, "unit")
            << (progress.num_units == 1 ? " is" : " are") << " finished already";
  if (progress.num_reused > 0) {
    std::cerr
        << ", " << grouped(progress.num_reused)
        << " of them in earlier runs of this name (with --fresh, finished units are not copied)";
  }
  std::cerr << '\n';
}

/// Returns a phrase about the units that an interrupted run keeps, with the command that resumes
/// the run. Before the plan exists, the phrase does not contain the number of units.
std::string kept_text(const SweepRunOptions& options, const SweepProgress& progress,
                      const std::filesystem::path& folder) {
  const std::string place = folder.empty() ? "" : fmt::format(" in {}", folder.string());
  const std::string units =
      progress.num_units == 0
          ? "finished units"
          : fmt::format("{} of {}", grouped(progress.num_found_finished + progress.num_finished),
                        plural(progress.num_units, "unit"));
  return printable(fmt::format("{} are kept{}; to resume: {}", units, place, options.command),
                   kMaxCommand);
}

bool has_report(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "report.html", ignored);
}

void print_json(const Config& config, const SweepOutcome& outcome) {
  const SweepProgress& progress = outcome.progress;
  const nlohmann::ordered_json json = {
      {"folder", outcome.folder.string()},
      {"name", config.name},
      {"run_id", run_id(config)},
      {"num_units", progress.num_units},
      {"num_measured_units", progress.num_finished},
      {"num_copied_units", progress.num_reused},
      {"num_rows", outcome.num_rows},
      {"num_threads", progress.num_threads},
      {"elapsed_s", progress.elapsed_s},
      {"files", {"trials.csv", "histograms.csv", "timings.csv", "config.json", "manifest.json"}}};
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

/// Prints the result. The last line contains only the folder, so that scripts can read the folder.
void print_text(const SweepOutcome& outcome) {
  const std::string folder = printable(outcome.folder.string(), kMaxMessage);
  std::cout << plural(outcome.num_rows, "row") << " in " << folder << "/trials.csv";
  if (outcome.progress.num_finished > 0) {
    std::cout << ", " << plural(outcome.progress.num_finished, "unit") << " in "
              << duration_text(outcome.progress.elapsed_s);
  }
  if (outcome.progress.num_finished > 0 && has_report(outcome.folder)) {
    std::cout << "\nreport.html and the charts do not contain these units until `bloometry report` "
                 "is run again";
  }
  const std::string word = printable(shell_word(outcome.folder.string()), kMaxCommand);
  std::cout << "\nnext: bloometry report " << word << "\n      bloometry verify " << word << '\n'
            << outcome.folder.string() << '\n';
}

}  // namespace

int sweep_run_command(const SweepRunOptions& options) {
  InterruptWatch watch(kept_text(options, {}, options.out.value_or("")), InterruptWatch::kGrace);
  const Config config = load_config(options.config);
  const std::filesystem::path folder = run_folder_of(options, config);
  watch.keep(kept_text(options, {}, folder));
  print_key_notes(config);
  const bool is_terminal = ::isatty(STDERR_FILENO) != 0;
  std::optional<PlanningLine> planning(std::in_place, std::cerr, is_terminal);
  ProgressLine line(std::cerr, is_terminal);
  bool has_started = false;
  const SweepOutcome outcome =
      run_sweep(config, sweep_options(options, config, planning), InterruptWatch::flag(),
                [&](const SweepProgress& progress) {
                  planning.reset();
                  if (!has_started) {
                    print_start(progress, num_threads_or_cores(options.num_threads));
                  }
                  has_started = true;
                  line.show(progress);
                });
  line.finish();
  if (outcome.was_interrupted) {
    return watch.say_interrupted(kept_text(options, outcome.progress, folder));
  }
  options.json ? print_json(config, outcome) : print_text(outcome);
  return kDone;
}

}  // namespace bloometry
