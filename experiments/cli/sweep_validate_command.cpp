#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/cli/commands.hpp"
#include "experiments/cli/progress_line.hpp"
#include "experiments/cli/text_table.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/sweep/plan_summary.hpp"
#include "experiments/sweep/run_sweep.hpp"

namespace bloometry {
namespace {

void print_json(const Config& config, const PlanSummary& summary) {
  const nlohmann::ordered_json json = {{"name", config.name},
                                       {"run_id", run_id(config)},
                                       {"num_units", summary.num_units},
                                       {"num_rows", summary.num_rows},
                                       {"num_key_operations", summary.num_key_operations},
                                       {"peak_bytes", summary.peak_bytes()},
                                       {"shared_key_bytes", summary.shared_key_bytes},
                                       {"unit_bytes", summary.unit_bytes},
                                       {"machine_bytes", summary.machine_bytes},
                                       {"estimated_s", summary.estimated_s},
                                       {"studied", summary.studied}};
  std::cout << json.dump(2) << '\n';
}

void print_text(const Config& config, const PlanSummary& summary, unsigned num_threads) {
  std::cout << config.name << " is valid\n"
            << "  run folder      " << default_run_folder(config).string() << '\n'
            << "  units           " << grouped(summary.num_units) << '\n'
            << "  rows            " << grouped(summary.num_rows) << '\n'
            << "  key operations  " << grouped(summary.num_key_operations) << '\n'
            << "  peak memory     " << memory_text(summary.peak_bytes() * 8) << " ("
            << memory_text(summary.shared_key_bytes * 8) << " of keys, "
            << memory_text(summary.unit_bytes * 8) << " of filters)\n"
            << "  estimated time  " << duration_text(summary.estimated_s) << " on " << num_threads
            << (num_threads == 1 ? " thread\n" : " threads\n");
  for (const auto& [reason, num_rows] : summary.studied) {
    std::cout << "  only studied    " << grouped(num_rows) << " rows: " << reason << '\n';
  }
}

}  // namespace

int sweep_validate_command(const std::filesystem::path& path, bool json) {
  const Config config = load_config(path);
  const std::vector<Unit> units = expand(config);
  const unsigned num_threads = num_threads_or_cores(0);
  const PlanSummary summary =
      summarize_plan(units, Engine::kAuto, num_threads, memory_bytes_or_default(0));
  if (json) {
    print_json(config, summary);
  } else {
    print_text(config, summary, num_threads);
  }
  if (!summary.fits_machine()) {
    std::cerr << "warning: peak memory is " << memory_text(summary.peak_bytes() * 8)
              << " and this machine has " << memory_text(summary.machine_bytes * 8)
              << "; give `sweep run` fewer --threads, or make num_keys or the filters smaller\n";
  }
  return kDone;
}

}  // namespace bloometry
