#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/cli/commands.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/progress_line.hpp"
#include "experiments/cli/text_table.hpp"
#include "experiments/machine/machine.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/sweep/plan_summary.hpp"
#include "experiments/sweep/run_sweep.hpp"

namespace bloometry {
namespace {

void print_json(const Config& config, const PlanSummary& summary, std::uint64_t memory_bytes) {
  const MemoryPlan& memory = summary.memory;
  const nlohmann::ordered_json json = {
      {"name", config.name},
      {"run_id", run_id(config)},
      {"num_units", summary.num_units},
      {"num_rows", summary.num_rows},
      {"num_key_operations", summary.num_key_operations},
      {"num_threads", memory.num_threads},
      {"peak_bytes", memory.peak_bytes()},
      {"shared_key_bytes", memory.key_file_bytes + memory.digest_bytes},
      {"unit_bytes", memory.unit_bytes},
      {"memory_bytes", memory_bytes},
      {"machine_bytes", machine_memory_bytes()},
      {"estimated_s", summary.estimated_s},
      {"studied", summary.studied}};
  std::cout << json.dump(2) << '\n';
}

void print_text(const Config& config, const PlanSummary& summary, std::uint64_t memory_bytes,
                unsigned num_threads_asked) {
  const MemoryPlan& memory = summary.memory;
  std::cout << config.name << " is valid\n"
            << "  run folder      " << default_run_folder(config).string() << '\n'
            << "  units           " << grouped(summary.num_units) << '\n'
            << "  rows            " << grouped(summary.num_rows) << '\n'
            << "  key operations  " << grouped(summary.num_key_operations) << '\n'
            << "  peak memory     " << memory_text(memory.peak_bytes() * 8) << " ("
            << memory_text((memory.key_file_bytes + memory.digest_bytes) * 8) << " of keys, "
            << memory_text(memory.unit_bytes * 8) << " of filters) of "
            << memory_text(memory_bytes * 8) << '\n'
            << "  threads         " << memory.num_threads;
  if (memory.num_threads < num_threads_asked) {
    std::cout << " of " << num_threads_asked << ": more do not fit in memory";
  }
  std::cout << "\n  estimated time  " << duration_text(summary.estimated_s) << '\n';
  for (const auto& [reason, num_rows] : summary.studied) {
    std::cout << "  only studied    " << grouped(num_rows) << " rows: " << reason << '\n';
  }
}

std::vector<Unit> planned_units(const Config& config) {
  PlanningLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  return expand(config, [&](std::uint64_t num_rows) { line.show(num_rows); });
}

}  // namespace

int sweep_validate_command(const SweepRunOptions& options, bool json) {
  const InterruptWatch watch("nothing was written");
  const Config config = load_config(options.config);
  const std::vector<Unit> units = planned_units(config);
  const unsigned num_threads = num_threads_or_cores(options.num_threads);
  const MemoryBudget budget = memory_budget(options.memory_bytes);
  const PlanSummary summary = summarize_plan(units, options.engine, num_threads, budget);
  if (json) {
    print_json(config, summary, budget.bytes);
  } else {
    print_text(config, summary, budget.bytes, num_threads);
  }
  return kDone;
}

}  // namespace bloometry
