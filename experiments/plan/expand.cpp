#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "experiments/plan/config.hpp"
#include "experiments/plan/filter_life.hpp"
#include "experiments/plan/problem_list.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/unit/spec_text.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

using Points = std::span<const Point>;

/// The value that the points have in common, of those that have one.
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

/// Returns the points sorted and distinct, one for those that differ only in what their grids asked
/// for.
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

/// Gathers units from all grids; what two grids share becomes one unit with the points of both.
class Expansion {
 public:
  Expansion(const Config& config, const PlanObserver& observe)
      : config_(config), observe_(observe), planner_(config.queries) {}

  void add_grid(const Grid& grid, const std::string& pointer) {
    for (const std::string& name : grid.variants) {
      const VariantInfo& variant = find_variant(name);
      FilterLives found = filter_lives(variant, grid, probes_of(config_, variant));
      for (const FilterComplaint& complaint : found.complaints) {
        problems_.add([&] { return pointer + ": " + complaint.line(); });
      }
      for (const FilterLife& life : found.lives) add_life(variant, grid, life);
    }
  }

  /// Sorted by id.
  std::vector<Unit> units() && {
    if (!problems_.empty()) throw ConfigFileError(problems_.lines());
    std::vector<Unit> units;
    for (auto& [text, unit] : units_) {
      unit.points = merged(std::move(unit.points));
      unit.id = unit_id(unit);
      units.push_back(std::move(unit));
    }
    check_key_files(units);
    if (!problems_.empty()) throw ConfigFileError(problems_.lines());
    std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.id < b.id; });
    return units;
  }

 private:
  void add_life(const VariantInfo& variant, const Grid& grid, const FilterLife& life) {
    for (const std::string& probes : probes_of(config_, variant)) {
      std::vector<Point> points = planner_.points(variant, variant.scheme(probes), grid, life);
      for (Point& point : points) {
        point.capacity = grid.capacity;
        point.bits_per_key = life.bits_per_key;
      }
      Unit unit{.variant = std::string(variant.name),
                .probes = probes,
                .spec = life.spec,
                .params = params_text(life.spec.params),
                .churn = grid.churn,
                .root_seed = config_.seed,
                .points = std::move(points)};
      add_repetitions(unit);
    }
  }

  /// The same filter with every key source, hash and trial.
  void add_repetitions(Unit& unit) {
    for (const KeySource& keys : config_.keys) {
      for (const std::string& hash : config_.hashes) {
        for (std::uint64_t trial = 0; trial < config_.trials; ++trial) {
          unit.keys = keys;
          unit.hash = hash;
          unit.trial = trial;
          add(unit);
        }
      }
    }
  }

  void add(const Unit& unit) {
    count_rows(unit.points.size());
    const auto [found, is_new] = units_.try_emplace(unit_text_without_points(unit), unit);
    if (is_new) return;
    std::vector<Point>& points = found->second.points;
    points.insert(points.end(), unit.points.begin(), unit.points.end());
  }

  /// Complains of key files that are too small for some unit.
  void check_key_files(const std::vector<Unit>& units) {
    for (const KeySource& keys : config_.keys) {
      if (!keys.num_lines) continue;
      KeyDemand largest;
      for (const Unit& unit : units) {
        const KeyDemand demand = unit.keys.name == keys.name ? key_demand(unit) : KeyDemand{};
        if (demand.num_keys() > largest.num_keys()) largest = demand;
      }
      if (*keys.num_lines >= largest.num_keys()) continue;
      problems_.add([&] {
        return "/keys: " + printable(keys.name, kMaxShownPointer) + " has " +
               std::to_string(*keys.num_lines) + " distinct lines (" +
               std::to_string(keys.num_duplicates) + " duplicates dropped), " +
               std::to_string(largest.num_keys()) +
               " are needed: " + std::to_string(largest.num_members) + " members and " +
               std::to_string(largest.num_nonmembers()) + " queries";
      });
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
  std::map<std::string, Unit> units_;
};

}  // namespace

std::vector<Unit> expand(const Config& config, const PlanObserver& observe) {
  Expansion expansion(config, observe);
  for (std::size_t i = 0; i < config.grids.size(); ++i) {
    expansion.add_grid(config.grids[i], "/grids/" + std::to_string(i));
  }
  return std::move(expansion).units();
}

}  // namespace bloometry
