#include "experiments/sweep/memory_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/hash/digest.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/sweep/key_lists.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

/// Memory of one thread for blocks of digests, keys of the current pass, and counts. The measured
/// memory of one thread is below 0.7 MB with distinct probes.
constexpr std::uint64_t kThreadBytes = std::uint64_t{1} << 20U;

bool is_file(const Unit& unit) {
  return unit.keys.kind == KeySource::Kind::kFile;
}

/// The sizes of all tables, filters or lists, in descending order.
class Sizes {
 public:
  explicit Sizes(std::vector<std::uint64_t> bytes) : bytes_(std::move(bytes)) {
    std::sort(bytes_.begin(), bytes_.end(), std::greater<>());
  }

  [[nodiscard]] std::uint64_t sum_of_largest(std::uint64_t count) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes_.size() && i < count; ++i) sum += bytes_[i];
    return sum;
  }

 private:
  std::vector<std::uint64_t> bytes_;
};

/// Returns the memory of the key files in bytes: the contents, and the positions of lines and
/// splits. For lines of typical length, the positions need about as much memory as the contents.
std::uint64_t key_file_bytes(std::span<const Unit> units) {
  std::set<std::string> paths;
  for (const Unit& unit : units) {
    if (is_file(unit)) paths.insert(unit.keys.path);
  }
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error) bytes += 2 * size;
  }
  return bytes;
}

template <class Things, class Size>
Sizes sizes_of(const Things& things, Size size) {
  std::vector<std::uint64_t> bytes;
  for (const auto& thing : things) bytes.push_back(size(thing));
  return Sizes(std::move(bytes));
}

/// The memory that the units of a run need. Units that share a list start one after another. The
/// list is freed after the last of these units. The number of lists in memory therefore never
/// exceeds the number of threads.
class Needs {
 public:
  Needs(std::span<const Unit> units, const std::vector<UnitBytes>& bytes,
        std::span<const KeyLists> lists)
      : key_files_(key_file_bytes(units)),
        tables_(sizes_of(bytes, [](const UnitBytes& unit) { return unit.table; })),
        filters_(sizes_of(bytes, [](const UnitBytes& unit) { return unit.filter; })),
        members_(sizes_of(lists,
                          [](const KeyLists& list) { return list.num_members * sizeof(Digest); })),
        queries_(sizes_of(
            lists, [](const KeyLists& list) { return list.num_queries * sizeof(Digest); })) {}

  /// Returns the plan for running num_threads units at a time, with query digests in the remaining
  /// memory.
  [[nodiscard]] MemoryPlan plan(unsigned num_threads, std::uint64_t memory_bytes) const {
    MemoryPlan plan{.num_threads = num_threads, .key_file_bytes = key_files_};
    plan.unit_bytes = tables_.sum_of_largest(num_threads) + filters_.sum_of_largest(num_threads) +
                      num_threads * kThreadBytes;
    plan.member_bytes = members_.sum_of_largest(num_threads);
    const std::uint64_t taken = plan.key_file_bytes + plan.unit_bytes;
    plan.max_digest_bytes = memory_bytes - std::min(taken, memory_bytes);
    plan.digest_bytes = std::min(plan.member_bytes + queries_.sum_of_largest(num_threads),
                                 std::max(plan.max_digest_bytes, plan.member_bytes));
    return plan;
  }

  [[nodiscard]] std::uint64_t least(unsigned num_threads) const {
    const MemoryPlan least = plan(num_threads, 0);
    return least.key_file_bytes + least.unit_bytes + least.member_bytes;
  }

 private:
  std::uint64_t key_files_;
  Sizes tables_;
  Sizes filters_;
  Sizes members_;
  Sizes queries_;
};

/// Returns the memory needs of the units. The naive engine does not store digests, because it
/// hashes keys again for each use.
Needs needs_of(std::span<const Unit> units, const std::vector<UnitBytes>& bytes, Engine engine) {
  if (engine == Engine::kNaive) return {units, bytes, {}};
  return {units, bytes, key_lists(units)};
}

std::vector<UnitBytes> bytes_of(std::span<const Unit> units, Engine engine) {
  std::vector<UnitBytes> bytes;
  for (const Unit& unit : units) bytes.push_back(unit_bytes(unit, engine));
  return bytes;
}

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

/// Returns the size as text, rounded up to whole MiB (the unit of --max-memory).
std::string mib_text(std::uint64_t bytes) {
  return fmt::format("{}MiB", bytes / kMiB + static_cast<std::uint64_t>(bytes % kMiB != 0));
}

/// Returns the budget as text, rounded down to whole MiB. The required memory is rounded up, so
/// that the two printed sizes differ if the budget is too small.
std::string budget_text(const MemoryBudget& budget) {
  const std::string text = budget.bytes < kMiB ? plural(budget.bytes, "byte")
                                               : fmt::format("{}MiB", budget.bytes / kMiB);
  return budget.is_default ? text + " (the default: three quarters of the machine's memory)" : text;
}

[[noreturn]] void refuse(std::span<const Unit> units, Engine engine, std::uint64_t least,
                         const MemoryBudget& budget) {
  std::string text = fmt::format("must be at least {} for this config, got {}", mib_text(least),
                                 budget_text(budget));
  const std::vector<UnitBytes> direct_bytes = bytes_of(units, Engine::kDirect);
  const std::string direct = mib_text(needs_of(units, direct_bytes, Engine::kDirect).least(1));
  if (engine == Engine::kAuto && direct != mib_text(least)) {
    text += "; engine direct needs only " + direct;
  }
  throw ConfigError("max_memory", text);
}

/// Throws a ConfigError if the machine does not have enough memory for some unit. The run then
/// fails at the start and not hours later.
void require_machine_fits(std::span<const Unit> units, const std::vector<UnitBytes>& bytes) {
  const std::uint64_t machine = machine_memory_bytes();
  if (machine == 0) return;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    const std::uint64_t needed = bytes[i].total();
    if (needed <= machine) continue;
    throw ConfigError(fmt::format("this machine has {} of memory, but a unit ({}, {}) needs {}",
                                  budget_text({.bytes = machine}), unit.variant,
                                  size_text(unit.spec), mib_text(needed)));
  }
}

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// Raises a default budget to the need of one unit.
MemoryBudget raised_to(std::uint64_t least, MemoryBudget budget) {
  budget.bytes = std::max(budget.bytes, std::min(least, budget.most_bytes));
  return budget;
}

}  // namespace

MemoryBudget memory_budget(std::uint64_t requested_bytes) {
  constexpr std::uint64_t kIfUnknown = std::uint64_t{1} << 30U;
  constexpr std::uint64_t kMostByDefault = std::uint64_t{2} << 30U;
  if (requested_bytes != 0) return {.bytes = requested_bytes};
  const std::uint64_t machine = machine_memory_bytes();
  const std::uint64_t most = machine != 0 ? machine / 4 * 3 : kIfUnknown;
  return {.bytes = std::min(kMostByDefault, most), .is_default = true, .most_bytes = most};
}

MemoryPlan plan_memory(std::span<const Unit> units, Engine engine, unsigned num_threads,
                       const MemoryBudget& budget) {
  const std::vector<UnitBytes> bytes = bytes_of(units, engine);
  const Needs needs = needs_of(units, bytes, engine);
  const MemoryBudget usable = raised_to(needs.least(1), budget);
  for (unsigned count = num_threads; count > 0; --count) {
    if (needs.least(count) > usable.bytes) continue;
    require_machine_fits(units, bytes);
    MemoryPlan plan = needs.plan(count, usable.bytes);
    plan.full_bytes = needs.plan(num_threads, kUnlimited).peak_bytes();
    return plan;
  }
  refuse(units, engine, needs.least(1), usable);
}

}  // namespace bloometry
