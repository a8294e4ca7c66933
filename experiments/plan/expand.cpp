#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "experiments/plan/config.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/plan/problem_list.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/unit/spec_text.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

using Points = std::span<const Point>;

/// Returns the common value of all points that have a value, or nullopt if their values differ.
template <class Value>
std::optional<Value> only_value(Points points, std::optional<Value> Point::*member) {
  std::optional<Value> only;
  for (const Point& point : points) {
    const std::optional<Value>& value = point.*member;
    if (only && value && value != only) return std::nullopt;
    if (value) only = value;
  }
  return only;
}

/// Returns the points sorted and without duplicates. merged() merges points that differ only in the
/// requested values of their grids.
std::vector<Point> merged(std::vector<Point> points) {
  const auto measured = [](const Point& p) {
    return std::tie(p.num_inserted, p.num_hashes, p.num_queries);
  };
  std::sort(points.begin(), points.end());
  std::vector<Point> distinct;
  for (auto same = points.cbegin(); same != points.cend();) {
    const auto end = std::find_if(same, points.cend(), [&](const Point& point) {
      return measured(point) != measured(*same);
    });
    Point point = *same;
    point.capacity = only_value(Points(same, end), &Point::capacity);
    point.bits_per_key = only_value(Points(same, end), &Point::bits_per_key);
    distinct.push_back(point);
    same = end;
  }
  return distinct;
}

/// The units of all grids. If several grids request one filter, their points are in one unit.
class Expansion {
 public:
  Expansion(const Config& config, const PlanObserver& observe)
      : config_(config), observe_(observe), planner_(config.queries) {}

  void add_grid(const Grid& grid, const std::string& pointer) {
    for (const std::string& name : grid.variants) {
      const VariantInfo& variant = find_variant(name);
      const PlannedFilters planned = planned_filters(variant, grid, probes_of(config_, variant));
      for (const FilterComplaint& complaint : planned.complaints) {
        problems_.add([&] { return fmt::format("{}: {}", pointer, complaint.line()); });
      }
      if (!problems_.empty()) continue;
      for (const PlannedFilter& filter : planned.filters) add_filter(variant, grid, filter);
    }
  }

  std::vector<Unit> units() && {
    if (!problems_.empty()) throw ConfigFileError(problems_.lines());
    std::vector<Unit> units;
    for (auto& [text, unit] : units_) {
      unit.points = merged(std::move(unit.points));
      unit.id = unit_id(unit);
      units.push_back(std::move(unit));
    }
    return units;
  }

 private:
  void add_filter(const VariantInfo& variant, const Grid& grid, const PlannedFilter& filter) {
    for (const std::string& probes : probes_of(config_, variant)) {
      Unit unit{.variant = std::string(variant.name),
                .probes = probes,
                .spec = filter.spec,
                .params = params_text(filter.spec.params),
                .churn = grid.churn,
                .window = grid.window,
                .stream = grid.stream,
                .root_seed = config_.seed};
      add_repetitions(unit, planner_.points(variant, variant.scheme(probes), grid, filter));
    }
  }

  /// Adds the points of a filter for every key source, hash and trial.
  void add_repetitions(Unit& unit, const std::vector<Point>& points) {
    for (const KeySource& keys : config_.keys) {
      for (const std::string& hash : config_.hashes) {
        for (std::uint64_t trial = 0; trial < config_.trials; ++trial) {
          unit.keys = keys;
          unit.hash = hash;
          unit.trial = trial;
          Unit& found = units_.try_emplace(unit_text_without_points(unit), unit).first->second;
          found.points.insert(found.points.end(), points.begin(), points.end());
          count_rows(points.size());
        }
      }
    }
  }

  void count_rows(std::uint64_t count) {
    constexpr std::uint64_t kRowsPerReport = 4096;
    const std::uint64_t before = num_rows_;
    num_rows_ += count;
    if (observe_ && num_rows_ / kRowsPerReport > before / kRowsPerReport) observe_(num_rows_);
  }

  const Config& config_;
  const PlanObserver& observe_;
  std::uint64_t num_rows_ = 0;
  PointPlanner planner_;
  ProblemList problems_;
  std::map<std::string, Unit> units_;  // by unit_text_without_points
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
      return fmt::format(
          "/keys: {} must have at least {} distinct lines ({} members and {} queries), got {} "
          "(duplicates dropped: {}); reduce {}",
          printable(keys.name, kMaxShownPointer), largest.num_keys(), largest.num_members,
          largest.num_nonmembers(), *keys.num_lines, keys.num_duplicates,
          config.queries.relative_error ? "/queries/max_queries" : "/queries");
    });
  }
  if (!problems.empty()) throw ConfigFileError(problems.lines());
}

}  // namespace

std::vector<Unit> expand(const Config& config, const PlanObserver& observe) {
  Expansion expansion(config, observe);
  for (std::size_t i = 0; i < config.grids.size(); ++i) {
    expansion.add_grid(config.grids[i], fmt::format("/grids/{}", i));
  }
  std::vector<Unit> units = std::move(expansion).units();
  check_key_files(config, units);
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.id < b.id; });
  return units;
}

}  // namespace bloometry
