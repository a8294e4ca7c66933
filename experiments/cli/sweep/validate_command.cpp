#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/cli/sweep/sweep_folders.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/sweep/earlier_runs.hpp"
#include "experiments/sweep/plan_summary.hpp"
#include "experiments/sweep/run_sweep.hpp"
#include "experiments/sweep/time_estimate.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

/// A config and the expected time and memory of its run.
struct SweepPlan {
  Config config;
  std::filesystem::path folder{};
  std::uint64_t num_finished_units = 0;  ///< units in the run folder or in earlier runs
  MemoryBudget budget{};
  unsigned num_threads_requested = 0;
  PlanSummary summary{};   ///< summary of all units
  double estimated_s = 0;  ///< time for the unfinished units
  /// Time with MemoryPlan::full_bytes of memory; absent unless full_bytes exceeds the budget.
  std::optional<double> estimated_full_s{};
};

void print_json(const SweepPlan& plan) {
  const PlanSummary& summary = plan.summary;
  const MemoryPlan& memory = summary.memory;
  nlohmann::ordered_json json = {{"name", plan.config.name},
                                 {"run_id", run_id(plan.config)},
                                 {"num_units", summary.num_units},
                                 {"num_finished_units", plan.num_finished_units},
                                 {"num_rows", summary.num_rows},
                                 {"num_key_operations", summary.num_key_operations},
                                 {"num_threads", memory.num_threads},
                                 {"peak_bytes", memory.peak_bytes()},
                                 {"shared_key_bytes", memory.key_file_bytes + memory.digest_bytes},
                                 {"unit_bytes", memory.unit_bytes},
                                 {"memory_bytes", plan.budget.bytes},
                                 {"useful_memory_bytes", memory.full_bytes},
                                 {"machine_bytes", machine_memory_bytes()},
                                 {"estimated_s", plan.estimated_s},
                                 {"estimated_s_with_useful_memory", nullptr},
                                 {"exempt", summary.exempt}};
  if (plan.estimated_full_s) json["estimated_s_with_useful_memory"] = *plan.estimated_full_s;
  std::cout << json.dump(2) << '\n';
}

/// Returns the smallest --max-memory, in MiB, with which all threads run and each key is generated
/// only once.
std::uint64_t full_mebibytes(const MemoryPlan& memory) {
  return (memory.full_bytes >> 20U) + 1;
}

/// Prints the run time with more memory than the budget. More memory may save little time, because
/// generating keys again is often as fast as storing keys.
void print_memory_gain(const SweepPlan& plan) {
  if (!plan.estimated_full_s) return;
  const MemoryPlan& memory = plan.summary.memory;
  std::cout << "  more memory     --max-memory " << full_mebibytes(memory) << "MiB would "
            << (memory.num_threads < plan.num_threads_requested ? "run all threads and " : "")
            << "keep all keys: about " << duration_text(*plan.estimated_full_s) << '\n';
}

void print_text(const SweepPlan& plan) {
  const FittedLines fitted(std::cout);
  const PlanSummary& summary = plan.summary;
  const MemoryPlan& memory = summary.memory;
  std::cout << plan.config.name << " is valid\n"
            << "  run folder      " << printable(plan.folder.string(), kMaxMessage) << '\n'
            << "  units           " << grouped(summary.num_units) << '\n';
  if (plan.num_finished_units > 0) {
    std::cout << "  finished        " << grouped(plan.num_finished_units)
              << " of them, here or in earlier runs of this name\n";
  }
  std::cout << "  rows            " << grouped(summary.num_rows) << '\n'
            << "  key operations  " << grouped(summary.num_key_operations) << '\n'
            << "  memory          at most " << memory_text(memory.peak_bytes() * 8) << " ("
            << memory_text((memory.key_file_bytes + memory.digest_bytes) * 8) << " of keys, "
            << memory_text(memory.unit_bytes * 8) << " of filters) of "
            << memory_text(plan.budget.bytes * 8) << '\n'
            << "  threads         " << memory.num_threads;
  if (memory.num_threads < plan.num_threads_requested) {
    std::cout << " of " << plan.num_threads_requested << ": more do not fit in memory";
  }
  std::cout << '\n';
  std::cout << "  estimated time  "
            << (plan.estimated_s < 1 ? "under 1 s" : duration_text(plan.estimated_s))
            << (plan.num_finished_units > 0 ? " for the remaining units" : "") << '\n';
  print_memory_gain(plan);
  for (const auto& [variant, range] : summary.counters_per_key) {
    std::cout << "  counters        " << variant << ": " << rounded(range.least, 3);
    if (rounded(range.most, 3) != rounded(range.least, 3)) {
      std::cout << " to " << rounded(range.most, 3);
    }
    std::cout << " for each key\n";
  }
  for (const auto& [reason, num_rows] : summary.exempt) {
    std::cout << "  exempt          " << plural(num_rows, "row") << ": " << reason << '\n';
  }
}

std::vector<Unit> planned_units(const Config& config) {
  PlanningLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  return expand(config, [&](std::uint64_t num_rows) { line.show(num_rows); });
}

/// Returns the unfinished units. A unit is finished if its result is in the run folder or in an
/// earlier run of the same name.
std::vector<Unit> units_left(const SweepRunOptions& options, const SweepPlan& plan,
                             const std::vector<Unit>& units) {
  std::vector<std::filesystem::path> runs = earlier_runs(options, plan.config);
  if (holds_run(plan.folder)) runs.insert(runs.begin(), plan.folder);
  std::set<std::string> ids;
  for (const Unit& unit : units) ids.insert(unit.id);
  for (const EarlierUnits& run : find_earlier_units(runs, plan.config, ids)) {
    for (const UnitResult& result : run.results) ids.erase(result.timing.unit);
  }
  std::vector<Unit> left;
  std::copy_if(units.begin(), units.end(), std::back_inserter(left),
               [&](const Unit& unit) { return ids.contains(unit.id); });
  return left;
}

/// Returns the estimated time with full memory. Returns nullopt if more memory does not change the
/// time, or if the machine does not have enough memory.
std::optional<double> seconds_with_full_memory(const SweepRunOptions& options,
                                               const SweepPlan& plan,
                                               const std::vector<Unit>& left) {
  const MemoryPlan& memory = plan.summary.memory;
  const std::uint64_t bytes = full_mebibytes(memory) << 20U;
  const std::uint64_t machine_bytes = machine_memory_bytes();
  if (memory.full_bytes <= plan.budget.bytes || memory.full_bytes <= memory.peak_bytes() ||
      (machine_bytes != 0 && bytes > machine_bytes)) {
    return std::nullopt;
  }
  return estimate_seconds(
      left, options.engine,
      plan_memory(left, options.engine, plan.num_threads_requested, memory_budget(bytes)));
}

}  // namespace

int sweep_validate_command(const SweepRunOptions& options, bool json) {
  const InterruptWatch watch("files were not changed");
  SweepPlan plan{.config = load_config(options.config),
                 .budget = memory_budget(options.max_memory_bytes),
                 .num_threads_requested = num_threads_or_cores(options.num_threads)};
  print_key_notes(plan.config);
  plan.folder = run_folder_of(options, plan.config);
  require_usable(plan.folder, plan.config,
                 options.replaces ? OtherRows::kReplace : OtherRows::kRefuse);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Unit> units = planned_units(plan.config);
  const std::chrono::duration<double> planning = std::chrono::steady_clock::now() - start;
  const std::vector<Unit> left = units_left(options, plan, units);
  plan.num_finished_units = units.size() - left.size();
  plan.summary = summarize_plan(units, options.engine, plan.num_threads_requested, plan.budget);
  plan.estimated_s = planning.count() + estimate_seconds(left, options.engine, plan.summary.memory);
  plan.estimated_full_s = seconds_with_full_memory(options, plan, left);
  json ? print_json(plan) : print_text(plan);
  return kDone;
}

}  // namespace bloometry
