#include "experiments/sweep/time_estimate.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/output/csv.hpp"
#include "experiments/output/unit_line.hpp"
#include "experiments/sweep/elapsed.hpp"
#include "experiments/sweep/key_lists.hpp"
#include "experiments/trial/buffer_pool.hpp"
#include "experiments/trial/unit_work.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/workload/digest_list.hpp"
#include "experiments/workload/digest_store.hpp"

namespace bloometry {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Maximum time for pilot runs of one kind of units, and of all kinds together.
constexpr Seconds kTimePerKind{0.03};
constexpr Seconds kTimeForAllKinds{1.5};
/// Maximum work of a pilot run. This work needs about 150 ms on a filter in cache. Units with more
/// work are shortened.
constexpr double kMaxPilotWork = 1 << 22U;
constexpr std::size_t kMaxResultsKept = 100;

/// Returns the unit with each n and each number of queries multiplied by the factor.
Unit shortened(const Unit& unit, double factor) {
  const auto scaled = [factor](std::uint64_t count) {
    return static_cast<std::uint64_t>(static_cast<double>(count) * factor);
  };
  Unit shorter = unit;
  for (Point& point : shorter.points) {
    point.num_inserted = scaled(point.num_inserted);
    point.num_queries = std::max<std::uint64_t>(1, scaled(point.num_queries));
  }
  std::sort(shorter.points.begin(), shorter.points.end());
  const auto repeated = std::unique(shorter.points.begin(), shorter.points.end());
  shorter.points.erase(repeated, shorter.points.end());
  return shorter;
}

/// Returns the whole unit, or the unit with only its middle k if the engine runs the real class for
/// each k.
Unit thinned(const Unit& unit, Engine engine) {
  if (count_operations(unit, engine) != count_operations(unit, Engine::kDirect)) return unit;
  std::set<unsigned> all;
  for (const Point& point : unit.points) all.insert(point.num_hashes);
  const unsigned middle = *std::next(all.begin(), static_cast<std::ptrdiff_t>(all.size() / 2));
  Unit thin = unit;
  std::erase_if(thin.points, [&](const Point& point) { return point.num_hashes != middle; });
  return thin;
}

/// The units of one (variant, probes, keys, hash), with or without windows or streams, which have
/// the same time per operation.
struct Kind {
  std::vector<const Unit*> units{};  ///< the unit with the most work is first
  double work = 0;
  double longest = 0;  ///< work of the first unit
};

/// A measurement of short runs of units. The keys of the units are already in memory.
class Pilot {
 public:
  Pilot(Engine engine, const std::set<std::string>& always_checked)
      : engine_(engine), always_checked_(always_checked) {}

  /// Returns the seconds per operation. The function count_work() counts the operations.
  double seconds_per_work(const Kind& kind) {
    if (kind.longest > kMaxPilotWork) {
      const Unit thin = thinned(*kind.units.front(), engine_);
      return seconds_of_long(thin) / work_of(thin);
    }
    double work = 0;
    double seconds = 0;
    const Clock::time_point start = Clock::now();
    for (const Unit* unit : kind.units) {
      seconds += run(*unit);
      work += work_of(*unit);
      if (seconds_since(start) > kTimePerKind.count()) break;
    }
    return seconds / std::max(work, 1.0);
  }

  /// Returns the time in seconds of converting a row to a line and parsing the line.
  [[nodiscard]] double seconds_per_row() const {
    const Clock::time_point start = Clock::now();
    std::vector<TrialRow> rows;
    for (const UnitResult& result : results_) {
      const UnitResult read = from_line(trimmed(to_line(result)));
      rows.insert(rows.end(), read.rows.begin(), read.rows.end());
    }
    const std::size_t num_bytes = trials_csv(rows).size() + histograms_csv(rows).size();
    return num_bytes == 0 ? 0 : seconds_since(start) / static_cast<double>(rows.size());
  }

 private:
  [[nodiscard]] double work_of(const Unit& unit) const {
    return count_work(unit, engine_, always_checked_.contains(unit.id));
  }

  /// Returns the time of a long unit in seconds, from a fixed time (memory, zeroing) and a time per
  /// key. Two runs with fewer keys determine the fixed time and the time per key. A warm-up run
  /// precedes the two runs.
  double seconds_of_long(const Unit& unit) {
    if (work_of(unit) <= kMaxPilotWork) return run(unit);
    const double factor = kMaxPilotWork / work_of(unit);
    const Unit longer = shortened(unit, factor);
    const Unit shorter = shortened(unit, factor / 2);
    static_cast<void>(run(shorter));
    const double short_s = run(shorter);
    const double long_s = run(longer);
    const double per_work =
        std::max(0.0, long_s - short_s) / std::max(1.0, work_of(longer) - work_of(shorter));
    return long_s + per_work * (work_of(unit) - work_of(longer));
  }

  double run(const Unit& unit) {
    if (engine_ != Engine::kNaive) {
      const KeyDemand demand = key_demand(unit);
      static_cast<void>(digests_.members(unit, demand.num_members));
      static_cast<void>(digests_.queries(unit, 0, demand.num_nonmembers()));
    }
    const Clock::time_point start = Clock::now();
    std::optional<UnitResult> result = run_unit(unit, {.engine = engine_,
                                                       .digests = &digests_,
                                                       .always_checked = &always_checked_,
                                                       .buffers = &buffers_});
    const double seconds = seconds_since(start);
    if (result && results_.size() < kMaxResultsKept) results_.push_back(std::move(*result));
    return seconds;
  }

  static std::string_view trimmed(std::string_view line) { return line.substr(0, line.size() - 1); }

  Engine engine_;
  const std::set<std::string>& always_checked_;
  DigestStore digests_{std::uint64_t{1} << 27U};
  BufferPool buffers_;
  std::vector<UnitResult> results_;
};

std::vector<Kind> kinds_of(std::span<const Unit> units, Engine engine,
                           const std::set<std::string>& always_checked) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, bool, bool>, Kind> kinds;
  for (const Unit& unit : units) {
    Kind& kind = kinds[{unit.variant, unit.probes, unit.keys.name, unit.hash,
                        unit.window.has_value(), unit.stream.has_value()}];
    const double work = count_work(unit, engine, always_checked.contains(unit.id));
    kind.units.push_back(&unit);
    if (work > kind.longest) {
      std::swap(kind.units.front(), kind.units.back());
      kind.longest = work;
    }
    kind.work += work;
  }
  std::vector<Kind> sorted;
  for (auto& [key, kind] : kinds) sorted.push_back(std::move(kind));
  std::sort(sorted.begin(), sorted.end(),
            [](const Kind& a, const Kind& b) { return a.work > b.work; });
  return sorted;
}

/// Returns the time of all units in seconds. seconds_of_units() measures the kinds of units in
/// order of decreasing work. After the time limit, seconds_of_units() assumes that the remaining
/// kinds are as fast as the measured kinds.
double seconds_of_units(std::span<const Unit> units, Engine engine, unsigned num_threads) {
  const std::set<std::string> always_checked = always_checked_units(units);
  Pilot pilot(engine, always_checked);
  double seconds = 0;
  double work = 0;
  double longest = 0;
  const Clock::time_point start = Clock::now();
  for (const Kind& kind : kinds_of(units, engine, always_checked)) {
    const bool has_time = work == 0 || seconds_since(start) < kTimeForAllKinds.count();
    const double per_work = has_time ? pilot.seconds_per_work(kind) : seconds / work;
    seconds += kind.work * per_work;
    work += kind.work;
    longest = std::max(longest, kind.longest * per_work);
  }
  std::uint64_t num_rows = 0;
  for (const Unit& unit : units) num_rows += unit.points.size();
  return std::max(seconds / num_threads, longest) +  // one unit runs on one thread
         pilot.seconds_per_row() * static_cast<double>(num_rows);
}

/// The time to make a key of one role, and the extra time of the first key. The first key needs
/// extra time if a file is read or a table of weights is computed.
struct KeyCost {
  double first_s = 0;
  double per_key_s = 0;
};

KeyCost measure_keys(const Unit& unit, KeyRole role, double list_length) {
  constexpr double kMaxKeys = 1U << 17U;
  if (list_length < 1) return {};
  const bool is_file = unit.keys.kind == KeySource::Kind::kFile;  // a split needs all lines
  const double count = is_file ? list_length : std::min(kMaxKeys, list_length);
  DigestStore store(0);
  const auto make_trial = [&](std::uint64_t trial) {
    Unit other = unit;
    other.trial = trial;
    const Clock::time_point start = Clock::now();
    DigestCursor cursor = store.hash_anew(other, role, 0, static_cast<std::uint64_t>(count));
    while (!cursor.next().empty()) {
    }
    return seconds_since(start);
  };
  const double first = make_trial(unit.trial);
  const double second = make_trial(unit.trial + 1);
  return {.first_s = std::max(0.0, first - second), .per_key_s = second / count};
}

/// Returns the time of the first write to the memory of a stored list, in seconds per digest. For
/// lists of gigabytes, the first write is as slow as hashing.
double touch_seconds_per_key() {
  constexpr std::size_t kNumDigests = std::size_t{1} << 20U;
  constexpr std::size_t kDigestsPerPage = 4096 / sizeof(Digest);
  const Clock::time_point start = Clock::now();
  KeptDigests list(kNumDigests);
  for (std::size_t i = 0; i < kNumDigests; i += kDigestsPerPage) list[i] = Digest{};
  return seconds_since(start) / static_cast<double>(kNumDigests);
}

/// Totals of the lists of one (keys, hash) in all trials.
struct KeyTotals {
  const Unit* unit = nullptr;
  double num_lists = 0;
  double num_units = 0;
  double num_members = 0;
  double num_queries = 0;  ///< number of stored queries
  double num_remade = 0;   ///< number of queries that are not stored, summed over all units
};

std::vector<KeyTotals> total_keys(std::span<const Unit> units, const MemoryPlan& memory) {
  const std::uint64_t room_for_queries =
      memory.max_digest_bytes - std::min(memory.max_digest_bytes, memory.member_bytes);
  std::map<std::pair<std::string, std::string>, KeyTotals> totals;
  for (const KeyLists& lists : key_lists(units)) {
    KeyTotals& total = totals[{lists.unit->keys.name, lists.unit->hash}];
    const bool is_kept = lists.num_queries * sizeof(Digest) <= room_for_queries;
    total.unit = lists.unit;
    ++total.num_lists;
    total.num_units += static_cast<double>(lists.num_units);
    total.num_members += static_cast<double>(lists.num_members);
    if (is_kept) {
      total.num_queries += static_cast<double>(lists.num_queries);
    } else {
      total.num_remade += static_cast<double>(lists.num_queries_of_units);
    }
  }
  std::vector<KeyTotals> all;
  for (const auto& [key, total] : totals) all.push_back(total);
  return all;
}

/// Returns the time to make the keys, in seconds. Units that share a list wait until the list is
/// made. Lists that are not shared are made in parallel.
/// @param touch_s_per_key result of touch_seconds_per_key()
double seconds_of_keys(const KeyTotals& total, double touch_s_per_key, unsigned num_threads) {
  const KeyCost member =
      measure_keys(*total.unit, KeyRole::kMember, total.num_members / total.num_lists);
  const KeyCost query = measure_keys(*total.unit, KeyRole::kQuery,
                                     (total.num_queries + total.num_remade) / total.num_lists);
  const double units_per_list = total.num_units / total.num_lists;
  const double num_at_once = std::max(1.0, num_threads / units_per_list);
  const double touch_s = (total.num_members + total.num_queries) * touch_s_per_key;
  return member.first_s + query.first_s +
         (total.num_members * member.per_key_s + total.num_queries * query.per_key_s + touch_s) /
             num_at_once +
         total.num_remade * query.per_key_s / num_threads;
}

}  // namespace

double estimate_seconds(std::span<const Unit> units, Engine engine, const MemoryPlan& memory) {
  double seconds = seconds_of_units(units, engine, memory.num_threads);
  if (engine == Engine::kNaive) return seconds;  // the time of the units includes making keys
  const double touch_s_per_key = touch_seconds_per_key();
  for (const KeyTotals& total : total_keys(units, memory)) {
    seconds += seconds_of_keys(total, touch_s_per_key, memory.num_threads);
  }
  return seconds;
}

}  // namespace bloometry
