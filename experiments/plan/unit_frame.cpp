#include "experiments/plan/unit_frame.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "experiments/plan/problem_list.hpp"
#include "experiments/unit/spec_text.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

/// A collector of frames from all grids. If two grids share a frame, the collector stores the frame
/// once, with the requests of both grids.
class Framing {
 public:
  explicit Framing(const Config& config) : config_(config) {}

  void add_grid(const Grid& grid, const std::string& pointer) {
    for (const std::string& name : grid.variants) {
      const VariantInfo& variant = find_variant(name);
      PlannedFilters found = planned_filters(variant, grid, probes_of(config_, variant));
      for (const FilterComplaint& complaint : found.complaints) {
        problems_.add([&] { return pointer + ": " + complaint.line(); });
      }
      for (const PlannedFilter& filter : found.filters) add_filter(variant, grid, filter);
    }
  }

  UnitFrames frames() && {
    if (!problems_.empty()) throw ConfigFileError(problems_.lines());
    for (auto& [text, frame] : frames_) result_.frames.push_back(std::move(frame));
    return std::move(result_);
  }

 private:
  void add_filter(const VariantInfo& variant, const Grid& grid, const PlannedFilter& filter) {
    for (const std::string& probes : probes_of(config_, variant)) {
      const PointRequest& request = result_.requests.emplace_back(PointRequest{
          .variant = &variant, .scheme = &variant.scheme(probes), .grid = &grid, .filter = filter});
      Unit unit{.variant = std::string(variant.name),
                .probes = probes,
                .spec = filter.spec,
                .params = params_text(filter.spec.params),
                .churn = grid.churn,
                .root_seed = config_.seed};
      add_repetitions(unit, request);
    }
  }

  /// Adds the frame of a filter for every key source, hash and trial.
  void add_repetitions(Unit& unit, const PointRequest& request) {
    for (const KeySource& keys : config_.keys) {
      for (const std::string& hash : config_.hashes) {
        for (std::uint64_t trial = 0; trial < config_.trials; ++trial) {
          unit.keys = keys;
          unit.hash = hash;
          unit.trial = trial;
          const auto [found, is_new] =
              frames_.try_emplace(unit_text_without_points(unit), UnitFrame{.unit = unit});
          found->second.requests.push_back(&request);
        }
      }
    }
  }

  const Config& config_;
  ProblemList problems_;
  std::map<std::string, UnitFrame> frames_;
  UnitFrames result_;
};

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

bool requests_best(const PointRequest& request) {
  return !request.variant->can(Operation::kGrow) && request.grid->num_hashes.empty();
}

/// Returns the values of k that a request names, or one 0 for a filter that grows.
std::vector<unsigned> named_hashes(const PointRequest& request) {
  if (request.variant->can(Operation::kGrow)) return {0};
  return request.grid->num_hashes;
}

/// The requests of a frame at one number of keys n.
struct Checkpoint {
  std::set<unsigned> named_hashes{};
  std::set<std::uint64_t> best_at{};  ///< numbers of keys at which the best k is requested
  std::vector<const PointRequest*> requests{};

  [[nodiscard]] bool is_ambiguous() const {
    return best_at.size() > 1 || (best_at.size() == 1 && !named_hashes.empty());
  }

  [[nodiscard]] std::size_t num_points() const { return named_hashes.size() + best_at.size(); }
};

std::map<std::uint64_t, Checkpoint> checkpoints_of(const UnitFrame& frame) {
  std::map<std::uint64_t, Checkpoint> checkpoints;
  for (const PointRequest* request : frame.requests) {
    const std::vector<unsigned> named = named_hashes(*request);
    for (const std::uint64_t num_keys : request->filter.num_keys) {
      Checkpoint& checkpoint = checkpoints[num_keys];
      checkpoint.named_hashes.insert(named.begin(), named.end());
      if (requests_best(*request)) checkpoint.best_at.insert(best_at(*request->grid, num_keys));
      checkpoint.requests.push_back(request);
    }
  }
  return checkpoints;
}

bool is_planned(std::uint64_t num_queries, const QueryPlan& queries) {
  return queries.relative_error ? num_queries >= 1 && num_queries <= queries.max_queries
                                : num_queries == queries.num_queries;
}

bool requests_hashes(const PointRequest& request, unsigned num_hashes) {
  const std::vector<unsigned> named = named_hashes(request);
  if (std::find(named.begin(), named.end(), num_hashes) != named.end()) return true;
  return requests_best(request) && num_hashes >= request.variant->min_num_hashes &&
         num_hashes <= request.variant->max_num_hashes;
}

}  // namespace

UnitFrames unit_frames(const Config& config) {
  Framing framing(config);
  for (std::size_t i = 0; i < config.grids.size(); ++i) {
    framing.add_grid(config.grids[i], "/grids/" + std::to_string(i));
  }
  return std::move(framing).frames();
}

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

std::optional<std::vector<Point>> requested_points(const UnitFrame& frame, const QueryPlan& queries,
                                                   const std::vector<Point>& measured) {
  const std::map<std::uint64_t, Checkpoint> checkpoints = checkpoints_of(frame);
  std::vector<Point> requested;
  std::size_t num_points = 0;
  for (const auto& [num_keys, checkpoint] : checkpoints) {
    if (checkpoint.is_ambiguous()) return std::nullopt;
    num_points += checkpoint.num_points();
  }
  for (const Point& point : measured) {
    const auto checkpoint = checkpoints.find(point.num_inserted);
    if (checkpoint == checkpoints.end() || !is_planned(point.num_queries, queries)) return {};
    for (const PointRequest* request : checkpoint->second.requests) {
      if (!requests_hashes(*request, point.num_hashes)) continue;
      requested.push_back(point);
      requested.back().capacity = request->grid->capacity;
      requested.back().bits_per_key = request->filter.bits_per_key;
    }
  }
  requested = merged(std::move(requested));
  const bool is_complete = requested.size() == num_points && measured.size() == num_points;
  return is_complete ? std::optional(std::move(requested)) : std::nullopt;
}

}  // namespace bloometry
