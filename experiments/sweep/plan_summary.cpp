#include "experiments/sweep/plan_summary.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>
#include <tuple>
#include <vector>

#include "core/hash/digest.hpp"
#include "experiments/output/machine.hpp"
#include "experiments/trial/page_pool.hpp"
#include "experiments/verdict/row_tests.hpp"
#include "experiments/workload/digest_store.hpp"
#include "experiments/workload/key_demand.hpp"

namespace bloometry {
namespace {

/// The longest lists of digests of one (keys, hash, trial).
std::vector<KeyDemand> demands_of(std::span<const Unit> units) {
  std::map<std::tuple<std::string, std::string, std::uint64_t>, KeyDemand> demands;
  for (const Unit& unit : units) {
    const KeyDemand demand = key_demand(unit);
    KeyDemand& largest = demands[{unit.keys.name, unit.hash, unit.trial}];
    largest.num_members = std::max(largest.num_members, demand.num_members);
    largest.num_queries = std::max(largest.num_queries, demand.num_nonmembers());
  }
  std::vector<KeyDemand> list;
  for (const auto& [key, demand] : demands) list.push_back(demand);
  return list;
}

/// All lists if they fit the budget; else the budget, or the members that are kept even beyond it.
std::uint64_t digest_bytes(std::span<const Unit> units, std::uint64_t memory_bytes) {
  std::uint64_t all = 0;
  std::uint64_t longest_members = 0;
  for (const KeyDemand& demand : demands_of(units)) {
    all += demand.num_keys() * sizeof(Digest);
    longest_members = std::max(longest_members, demand.num_members * sizeof(Digest));
  }
  return std::min(all, std::max(memory_bytes, longest_members));
}

/// Key files stay in memory: their text and, for lines of usual length, as much again for where
/// each line is and its place in the splits.
std::uint64_t key_file_bytes(std::span<const Unit> units) {
  std::set<std::string> paths;
  for (const Unit& unit : units) {
    if (unit.keys.kind == KeySource::Kind::kFile) paths.insert(unit.keys.path);
  }
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error) bytes += 2 * size;
  }
  return bytes;
}

std::uint64_t largest_units_bytes(std::span<const Unit> units, Engine engine,
                                  unsigned num_threads) {
  std::vector<std::uint64_t> bytes;
  for (const Unit& unit : units) bytes.push_back(peak_bytes(unit, engine));
  std::sort(bytes.begin(), bytes.end(), std::greater<>());
  if (bytes.size() > num_threads) bytes.resize(num_threads);
  std::uint64_t sum = 0;
  for (const std::uint64_t unit_bytes : bytes) sum += unit_bytes;
  return sum;
}

/// A row as far as it is known before it is measured.
std::string studied_reason(const Unit& unit) {
  TrialRow row;
  row.variant = unit.variant;
  row.keys = unit.keys.name;
  row.hash = unit.hash;
  row.probes = unit.probes;
  row.params = unit.params;
  row.num_wrongful_erases = unit.churn && unit.churn->wrongful_erases > 0 ? 1 : 0;
  return studied_because(row);
}

/// A standard filter that fits no small cache, filled and asked.
Unit calibration_unit() {
  Unit unit;
  unit.variant = "standard";
  unit.keys.name = "random";
  unit.hash = "xxh3";
  unit.probes = "remix";
  unit.spec.num_bits = 8'000'000;
  unit.params = "{}";
  unit.points = {{800'000, 4, 800'000}};
  return unit;
}

}  // namespace

PlanSummary summarize_plan(std::span<const Unit> units, Engine engine, unsigned num_threads,
                           std::uint64_t memory_bytes) {
  PlanSummary summary;
  summary.num_units = units.size();
  for (const Unit& unit : units) {
    summary.num_rows += unit.points.size();
    summary.num_key_operations += count_operations(unit, engine);
    const std::string reason = studied_reason(unit);
    if (!reason.empty()) summary.studied[reason] += unit.points.size();
  }
  summary.shared_key_bytes = digest_bytes(units, memory_bytes) + key_file_bytes(units);
  summary.unit_bytes = largest_units_bytes(units, engine, num_threads);
  summary.machine_bytes = machine_memory_bytes();
  summary.estimated_s = static_cast<double>(summary.num_key_operations) /
                        (measure_operations_per_s(engine) * num_threads);
  return summary;
}

double measure_operations_per_s(Engine engine) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t kDigestBytes = std::uint64_t{64} << 20U;
  const Unit unit = calibration_unit();
  DigestStore digests(kDigestBytes);
  const Clock::time_point start = Clock::now();
  static_cast<void>(run_unit(
      unit, {.engine = engine == Engine::kAuto ? Engine::kDirect : engine, .digests = &digests}));
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return static_cast<double>(count_operations(unit, Engine::kDirect)) / elapsed.count();
}

}  // namespace bloometry
