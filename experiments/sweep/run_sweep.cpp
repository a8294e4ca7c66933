#include "experiments/sweep/run_sweep.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/output/part_writer.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/sweep/earlier_runs.hpp"
#include "experiments/sweep/elapsed.hpp"
#include "experiments/sweep/memory_plan.hpp"
#include "experiments/sweep/worker_pool.hpp"
#include "experiments/trial/unit_work.hpp"
#include "experiments/workload/digest_store.hpp"

namespace bloometry {
namespace {

using Clock = std::chrono::steady_clock;

/// The units that are not finished.
struct PendingUnits {
  std::vector<Unit> units{};
  std::uint64_t num_operations = 0;
};

/// Returns the units that are not finished. Units that share keys are adjacent, so that digests are
/// computed once and freed early. Among units that share keys, the longest unit is first, so that
/// the longest unit does not run alone at the end.
PendingUnits pending_units(const std::vector<Unit>& units, const FinishedUnits& finished,
                           Engine engine) {
  using Order = std::tuple<std::uint64_t, std::string, std::string, std::uint64_t>;
  std::vector<std::pair<Order, const Unit*>> order;
  PendingUnits pending;
  for (const Unit& unit : units) {
    if (finished.contains(unit.id)) continue;
    const std::uint64_t num_operations = count_operations(unit, engine);
    pending.num_operations += num_operations;
    order.emplace_back(Order{unit.trial, unit.keys.name, unit.hash, ~num_operations}, &unit);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, unit] : order) pending.units.push_back(*unit);
  return pending;
}

/// Returns the total work of the pending units.
/// @param all all units of the config, which determine the units that are always checked
std::uint64_t count_all_work(const std::vector<Unit>& pending, const std::vector<Unit>& all,
                             Engine engine) {
  const std::set<std::string> always_checked = always_checked_units(all);
  double work = 0;
  for (const Unit& unit : pending) {
    work += count_work(unit, engine, always_checked.contains(unit.id));
  }
  return static_cast<std::uint64_t>(work);
}

void add_results(std::vector<UnitResult> results, FinishedUnits& finished) {
  for (UnitResult& result : results) {
    const std::string unit = result.timing.unit;
    finished.emplace(unit, std::move(result));
  }
}

/// Copies finished units of earlier runs to the folder, and returns the number of copied units.
std::uint64_t reuse_units(const Config& config, const SweepOptions& options,
                          const std::vector<Unit>& units, RunFolder& folder, PartWriter& writer,
                          FinishedUnits& found) {
  std::set<std::string> wanted;
  for (const Unit& unit : units) {
    if (!found.contains(unit.id)) wanted.insert(unit.id);
  }
  std::vector<EarlierUnits> earlier =
      find_earlier_units(options.earlier_runs, config, std::move(wanted));
  const std::uint64_t num_reused = count_units(earlier);
  for (EarlierUnits& run : earlier) {
    folder.note_reused(run.run, run.results.size());
    for (const UnitResult& result : run.results) writer.write(result);
    add_results(std::move(run.results), found);
  }
  return num_reused;
}

/// Returns the number of units in the folder that belong to earlier configs and are not in `units`.
std::uint64_t count_left_out(std::set<std::string> retired, const std::vector<Unit>& units) {
  for (const Unit& unit : units) retired.erase(unit.id);
  return retired.size();
}

MemoryPlan plan_units(const std::vector<Unit>& units, const SweepOptions& options) {
  return plan_memory(units, options.engine, num_threads_or_cores(options.num_threads),
                     memory_budget(options.max_memory_bytes));
}

}  // namespace

SweepOutcome run_sweep(const Config& config, const SweepOptions& options,
                       const std::atomic<bool>& interrupted,
                       const std::function<void(const SweepProgress&)>& observe) {
  const std::vector<Unit> units = expand(config, options.observe_planning);
  if (interrupted) return {.folder = options.folder, .was_interrupted = true};
  // A new run that does not fit in memory is rejected here, before its folder exists.
  std::optional<MemoryPlan> memory;
  if (!holds_run(options.folder)) memory = plan_units(units, options);
  RunFolder folder(options.folder, config, options.other_rows);
  const LeftOut left_out = {.retired = folder.retired_units()};
  PartContents contents = read_parts(folder.parts(), units, left_out);
  folder.require_unchanged(contents, units.size());
  FinishedUnits& finished = contents.finished;
  PartWriter writer(folder.parts());
  const std::uint64_t num_reused = reuse_units(config, options, units, folder, writer, finished);
  const auto [pending, num_operations] = pending_units(units, finished, options.engine);
  if (!memory || pending.size() < units.size()) memory = plan_units(pending, options);
  DigestStore digests(memory->max_digest_bytes, memory->member_bytes);
  for (const Unit& unit : pending) digests.reserve(unit);

  SweepOutcome outcome{.folder = options.folder};
  outcome.progress.num_threads = memory->num_threads;
  outcome.progress.num_units = units.size();
  outcome.progress.num_found_finished = finished.size();
  outcome.progress.num_reused = num_reused;
  outcome.progress.num_left_out = count_left_out(left_out.retired, units);
  outcome.progress.num_operations_planned = num_operations;
  outcome.progress.work_planned = count_all_work(pending, units, options.engine);
  if (!pending.empty()) folder.begin_session();
  WorkerPool pool(pending, units, options.engine, digests, writer);
  const Clock::time_point start = Clock::now();
  const auto report = [&] {
    outcome.progress.num_finished = pool.num_finished();
    outcome.progress.num_operations = pool.num_operations();
    outcome.progress.work = pool.work_done();
    outcome.progress.elapsed_s = seconds_since(start);
    observe(outcome.progress);
  };
  report();
  pool.run(memory->num_threads, interrupted, report);
  report();

  outcome.was_interrupted = pool.num_finished() < pending.size();
  add_results(pool.take_results(), finished);
  if (const std::optional<WrittenPart> part = writer.written()) {
    folder.keep_hash(*part);
    contents.hashes.emplace(part->name, part->hash);
  }
  if (outcome.was_interrupted) {
    folder.write_counts(finished.size(), count_rows(finished));
  } else {
    outcome.num_rows = folder.write_tables(contents);
  }
  return outcome;
}

unsigned num_threads_or_cores(unsigned num_threads) {
  return num_threads != 0 ? num_threads : num_usable_cpus();
}

std::filesystem::path default_run_folder(const Config& config) {
  return std::filesystem::path("results") / config.name / run_id(config);
}

}  // namespace bloometry
