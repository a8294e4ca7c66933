#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/cli/sweep/sweep_folders.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

std::string text_of(const nlohmann::json& json, const char* name) {
  return json.is_object() && json.contains(name) && json.at(name).is_string()
             ? json.at(name).get<std::string>()
             : "unknown";
}

void print_json(const RunData& run) {
  const nlohmann::ordered_json json = {{"folder", run.folder.string()},
                                       {"name", run.config.name},
                                       {"complete", run.num_finished_units == run.num_units},
                                       {"num_units", run.num_units},
                                       {"num_finished_units", run.num_finished_units},
                                       {"num_rows", run.rows.size()},
                                       {"started", text_of(run.manifest, "started")}};
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void print_text(const RunData& run) {
  const FittedLines fitted(std::cout);
  std::cout << run.config.name << " in " << printable(run.folder.string(), kMaxMessage) << '\n'
            << "  started   " << printable(text_of(run.manifest, "started"), kMaxShownValue) << '\n'
            << "  finished  " << grouped(run.num_finished_units) << " of "
            << plural(run.num_units, "unit") << '\n'
            << "  rows      " << grouped(run.rows.size()) << '\n';
  if (run.num_finished_units < run.num_units) {
    std::cout << printable(resume_text(run.folder, run.config), kMaxCommand) << '\n';
  }
}

}  // namespace

/// Prints the state of a run. Returns exit code 1 if the run is incomplete.
int sweep_status_command(const std::filesystem::path& folder, bool json) {
  const InterruptWatch watch("the run folder is unchanged");
  require_no_folder_of_runs(folder, "sweep status");
  const RunData run = read_run(folder);
  require_unchanged_parts(run);
  if (json) {
    print_json(run);
  } else {
    print_text(run);
  }
  return run.num_finished_units == run.num_units ? kDone : kAnswerIsNo;
}

}  // namespace bloometry
