#include "experiments/cli/sweep/sweep_folders.hpp"

#include <string>

#include "core/error.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/sweep/earlier_runs.hpp"
#include "experiments/sweep/run_sweep.hpp"

namespace bloometry {

std::filesystem::path run_folder_of(const SweepRunOptions& options, const Config& config) {
  if (options.out && options.out->empty()) throw ConfigError("--out must not be empty");
  return options.out ? *options.out : default_run_folder(config);
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
