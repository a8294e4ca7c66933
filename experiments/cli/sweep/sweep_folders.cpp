#include "experiments/cli/sweep/sweep_folders.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/output/run_list.hpp"
#include "experiments/sweep/earlier_runs.hpp"
#include "experiments/sweep/run_sweep.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/shell_text.hpp"

namespace bloometry {

namespace {

/// Returns the state of a run and the command that reads it.
std::string text_of(const ListedRun& run, std::string_view command) {
  if (!run.has_parts) return fmt::format("tables without parts/: {}", run.folder.string());
  return fmt::format("{}, {}, {}: bloometry {} {}", run.is_complete ? "complete" : "unfinished",
                     plural(run.num_finished_units, "unit"), plural(run.num_rows, "row"), command,
                     shell_word(run.folder.string()));
}

}  // namespace

std::filesystem::path run_folder_of(const SweepRunOptions& options, const Config& config) {
  if (options.out && options.out->empty()) throw ConfigError("--out must not be empty");
  return options.out ? *options.out : default_run_folder(config);
}

void require_no_folder_of_runs(const std::filesystem::path& folder, std::string_view command) {
  constexpr std::size_t kMaxShown = 20;
  if (holds_run(folder)) return;
  std::error_code ignored;
  const bool is_name = folder.is_relative() && !std::filesystem::exists(folder, ignored);
  const std::filesystem::path place = is_name ? "results" / folder : folder;
  const std::vector<ListedRun> runs = runs_below(place);
  if (runs.empty()) return;
  std::vector<Problem> problems = {
      {.text = fmt::format("run folder {}: must be the folder of one run; {} contains {}",
                           folder.string(), place.string(), plural(runs.size(), "run"))}};
  for (const ListedRun& run : runs) {
    if (problems.size() > kMaxShown) break;
    problems.push_back({.text = text_of(run, command)});
  }
  if (runs.size() > kMaxShown) {
    problems.push_back(
        {.text = fmt::format("and {} more", plural(runs.size() - kMaxShown, "run"))});
  }
  throw ConfigError(std::move(problems));
}

std::string resume_text(const std::filesystem::path& folder, const Config& config) {
  // The path of a key file is relative to the folder of the config that the run was started with.
  const bool has_relative_path = std::ranges::any_of(config.keys, [](const KeySource& keys) {
    return keys.kind == KeySource::Kind::kFile && std::filesystem::path(keys.path).is_relative();
  });
  if (has_relative_path) {
    return "To resume the run, give `bloometry sweep run` the same config and folder again.";
  }
  return fmt::format("To resume the run: `bloometry sweep run {} --out {}`.",
                     shell_word((folder / "config.json").string()), shell_word(folder.string()));
}

void print_key_notes(const Config& config) {
  for (const KeySource& keys : config.keys) {
    for (const std::string& note : keys.notes) print_message(note);
  }
}

std::vector<std::filesystem::path> earlier_runs(const SweepRunOptions& options,
                                                const Config& config) {
  const bool may_reuse = !options.out && !options.is_fresh && options.engine == Engine::kAuto;
  return may_reuse ? runs_beside(default_run_folder(config)) : std::vector<std::filesystem::path>{};
}

}  // namespace bloometry
