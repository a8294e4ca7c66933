#include <algorithm>
#include <unordered_map>
#include <utility>

#include "experiments/plan/config.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/plan/problem_list.hpp"
#include "experiments/plan/unit_frame.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

/// The computation of the points of unit frames.
class Expansion {
 public:
  Expansion(const Config& config, const PlanObserver& observe)
      : observe_(observe), planner_(config.queries) {}

  Unit unit_of(UnitFrame frame) {
    Unit unit = std::move(frame.unit);
    for (const PointRequest* request : frame.requests) {
      const std::vector<Point>& points = points_of(*request);
      unit.points.insert(unit.points.end(), points.begin(), points.end());
    }
    count_rows(unit.points.size());
    unit.points = merged(std::move(unit.points));
    unit.id = unit_id(unit);
    return unit;
  }

 private:
  /// Returns the points of a request. The points are cached, because several trials, key sources
  /// and hashes use the same points.
  const std::vector<Point>& points_of(const PointRequest& request) {
    const auto [found, is_new] = points_.try_emplace(&request);
    if (!is_new) return found->second;
    found->second =
        planner_.points(*request.variant, *request.scheme, *request.grid, request.filter);
    for (Point& point : found->second) {
      point.capacity = request.grid->capacity;
      point.bits_per_key = request.filter.bits_per_key;
    }
    return found->second;
  }

  void count_rows(std::uint64_t count) {
    constexpr std::uint64_t kRowsPerReport = 4096;
    const std::uint64_t before = num_rows_;
    num_rows_ += count;
    if (observe_ && num_rows_ / kRowsPerReport > before / kRowsPerReport) observe_(num_rows_);
  }

  const PlanObserver& observe_;
  std::uint64_t num_rows_ = 0;
  PointPlanner planner_;
  std::unordered_map<const PointRequest*, std::vector<Point>> points_;
};

/// Reports key files that have fewer keys than some unit requires.
void check_key_files(const Config& config, const std::vector<Unit>& units) {
  ProblemList problems;
  for (const KeySource& keys : config.keys) {
    if (!keys.num_lines) continue;
    KeyDemand largest;
    for (const Unit& unit : units) {
      const KeyDemand demand = unit.keys.name == keys.name ? key_demand(unit) : KeyDemand{};
      if (demand.num_keys() > largest.num_keys()) largest = demand;
    }
    if (*keys.num_lines >= largest.num_keys()) continue;
    problems.add([&] {
      return "/keys: " + printable(keys.name, kMaxShownPointer) + " must have at least " +
             std::to_string(largest.num_keys()) + " distinct lines (" +
             std::to_string(largest.num_members) + " members and " +
             std::to_string(largest.num_nonmembers()) + " queries), got " +
             std::to_string(*keys.num_lines) +
             " (duplicates dropped: " + std::to_string(keys.num_duplicates) + "); reduce " +
             (config.queries.relative_error ? "/queries/max_queries" : "/queries");
    });
  }
  if (!problems.empty()) throw ConfigFileError(problems.lines());
}

}  // namespace

std::vector<Unit> expand(const Config& config, const PlanObserver& observe) {
  UnitFrames planned = unit_frames(config);
  Expansion expansion(config, observe);
  std::vector<Unit> units;
  for (UnitFrame& frame : planned.frames) units.push_back(expansion.unit_of(std::move(frame)));
  check_key_files(config, units);
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.id < b.id; });
  return units;
}

}  // namespace bloometry
