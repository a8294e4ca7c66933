#include "experiments/output/units_of_rows.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/probe/limits.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

/// Returns whether a grid of the config requests the best k of the variant.
bool requests_best_k(const Config& config, std::string_view variant) {
  return std::any_of(config.grids.begin(), config.grids.end(), [&](const Grid& grid) {
    return grid.num_hashes.empty() &&
           std::find(grid.variants.begin(), grid.variants.end(), variant) != grid.variants.end();
  });
}

std::set<std::uint64_t> numbers_of_keys(std::span<const Point> points) {
  std::set<std::uint64_t> numbers;
  for (const Point& point : points) numbers.insert(point.num_inserted);
  return numbers;
}

std::set<std::pair<std::uint64_t, unsigned>> keys_and_hashes(std::span<const Point> points) {
  std::set<std::pair<std::uint64_t, unsigned>> numbers;
  for (const Point& point : points) numbers.emplace(point.num_inserted, point.num_hashes);
  return numbers;
}

bool is_possible(const QueryPlan& queries, std::uint64_t num_queries) {
  if (!queries.relative_error) return num_queries == queries.num_queries;
  return num_queries >= 1 && num_queries <= queries.max_queries;
}

/// Returns the points of the rows. The requested values of a grid come from the planned points with
/// the same n.
std::vector<Point> points_of(std::span<const TrialRow> rows, std::span<const Point> planned) {
  std::vector<Point> points;
  for (const TrialRow& row : rows) {
    Point point{.num_inserted = row.num_inserted,
                .num_hashes = static_cast<unsigned>(
                    std::min<std::uint64_t>(row.num_hashes.value_or(0), kMaxNumHashes + 1)),
                .num_queries = row.num_queries};
    const auto same_n = std::find_if(planned.begin(), planned.end(), [&](const Point& other) {
      return other.num_inserted == point.num_inserted;
    });
    if (same_n != planned.end()) {
      point.capacity = same_n->capacity;
      point.bits_per_key = same_n->bits_per_key;
    }
    points.push_back(point);
  }
  return points;
}

/// Returns whether another theory could have planned these points in place of the planned ones.
bool could_plan(const Config& config, const Unit& planned, std::span<const Point> points) {
  const bool has_queries = std::all_of(points.begin(), points.end(), [&](const Point& point) {
    return is_possible(config.queries, point.num_queries) && point.num_hashes <= kMaxNumHashes;
  });
  if (!has_queries || keys_and_hashes(points).size() != points.size()) return false;
  if (requests_best_k(config, planned.variant)) {
    return numbers_of_keys(points) == numbers_of_keys(planned.points);
  }
  return keys_and_hashes(points) == keys_and_hashes(planned.points);
}

}  // namespace

std::optional<UnitsOfRows::Found> UnitsOfRows::find(const UnitResult& line) {
  if (line.rows.empty()) return std::nullopt;
  const TrialRow& row = line.rows.front();
  const Name name{row.variant, row.keys, row.hash, row.probes, row.params, row.trial};
  for (const Unit* planned : units_named(name)) {
    Unit unit = *planned;
    unit.points = points_of(line.rows, planned->points);
    if (!could_plan(config_, *planned, unit.points)) continue;
    unit.id = unit_id(unit);
    if (unit.id == line.timing.unit) return Found{planned, std::move(unit)};
  }
  return std::nullopt;
}

const std::vector<const Unit*>& UnitsOfRows::units_named(const Name& name) {
  if (by_name_.empty()) {
    for (const Unit& unit : units_) {
      by_name_[{unit.variant, unit.keys.name, unit.hash, unit.probes, unit.params, unit.trial}]
          .push_back(&unit);
    }
  }
  static const std::vector<const Unit*> kNone;
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNone : found->second;
}

}  // namespace bloometry
