#include "experiments/plan/planned_filters.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>

#include "core/rates/rate_given_state.hpp"
#include "core/statistics/special_functions.hpp"
#include "experiments/plan/window_problems.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/churn_round.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "experiments/unit/spec_text.hpp"
#include "variants/registry/sizing.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMaxComplaints = 5;

/// Returns the capacities of the grid's filters, or one nullopt if the size does not depend on a
/// capacity.
std::vector<std::optional<std::uint64_t>> capacities_of(const Grid& grid) {
  const std::optional<std::uint64_t> capacity = grid.fixed_capacity();
  if (capacity || grid.size_axis != name_of(SizeAxis::kBitsPerKey)) return {capacity};
  return {grid.num_keys.begin(), grid.num_keys.end()};
}

/// Returns whether the parameters that follow from a size may depend on k.
bool params_depend_on_num_hashes(const VariantInfo& variant) {
  return variant.is_limited || variant.can(Operation::kTick);
}

/// Checks that the parameters which follow from a size are the same for each k of the grid, because
/// all points of a size have one set of parameters.
/// @param requested the spec of the filter; its k is changed
void require_equal_params(const VariantInfo& variant, const Grid& grid, FilterSpec requested) {
  std::optional<Params> first;
  for (const unsigned k : grid.num_hashes) {
    requested.num_hashes = k;
    const Params params = variant.resolved_params(requested);
    if (!first) first = params;
    for (const auto& [name, value] : params) {
      if (first->at(name) == value) continue;
      throw ConfigError("num_hashes",
                        fmt::format("must be one value, or params must contain {}, which follows "
                                    "from num_hashes: {} with {}, and {} with {}",
                                    name, to_string(first->at(name)), grid.num_hashes.front(),
                                    to_string(value), k));
    }
  }
}

/// Returns the spec of a filter with the given size. The spec contains the size in cells, except
/// for a filter that grows.
FilterSpec spec_of_size(const VariantInfo& variant, const Grid& grid, double size,
                        std::optional<std::uint64_t> capacity) {
  FilterSpec requested{.params = params_of(variant, grid)};
  set_size(requested, find_size_axis(grid.size_axis).value(), size);
  if (variant.can(Operation::kGrow)) return requested;
  requested.capacity = capacity;
  if (!params_depend_on_num_hashes(variant)) {
    requested.num_hashes = variant.min_num_hashes;
  } else if (!grid.num_hashes.empty()) {
    if (variant.can(Operation::kTick)) require_equal_params(variant, grid, requested);
    requested.num_hashes = grid.num_hashes.front();
  }
  FilterSpec spec{.params = variant.resolved_params(requested)};
  set_size(spec, variant.cell_axis(), variant.geometry(requested).num_cells);
  return spec;
}

/// Returns the problems of a filter that forgets keys which the grid requires.
/// @param most_keys largest number of keys at which the filter is queried
std::vector<Problem> problems_of_window(const VariantInfo& variant, const Grid& grid,
                                        const FilterSpec& spec, std::uint64_t most_keys) {
  const std::optional<Window> window = variant.window_of(spec);
  return window && !grid.stream ? window_problems(*window, grid.window, most_keys)
                                : std::vector<Problem>();
}

/// Returns the problems that the variant reports for this size and k, or for a probe scheme of the
/// config.
std::vector<Problem> complaints_of(const VariantInfo& variant, const Grid& grid, FilterSpec spec,
                                   std::uint64_t most_keys, std::optional<unsigned> k,
                                   const std::vector<std::string>& probes) {
  spec.num_hashes = k;
  try {
    for (const std::string& name : probes) {
      const SchemeInfo& scheme = variant.scheme(name);
      const Geometry geometry = k ? variant.geometry(spec) : scheme.geometry(spec);
      if (k) require_distinct_fit(scheme.model, geometry);
    }
    return problems_of_window(variant, grid, spec, most_keys);
  } catch (const ConfigError& error) {
    return error.problems();
  }
}

/// Returns every requested k, or the smallest k if the grid requests the best k, or one nullopt for
/// a filter that grows.
std::vector<std::optional<unsigned>> hashes_of(const VariantInfo& variant, const Grid& grid) {
  if (variant.can(Operation::kGrow)) return {std::nullopt};
  if (grid.num_hashes.empty() && variant.can(Operation::kTick)) return {std::nullopt};
  if (grid.num_hashes.empty()) return {variant.min_num_hashes};
  return {grid.num_hashes.begin(), grid.num_hashes.end()};
}

/// Returns the distinct problems of one size with any requested k.
std::vector<Problem> complaints_of(const VariantInfo& variant, const Grid& grid,
                                   const FilterSpec& spec, std::uint64_t most_keys,
                                   const std::vector<std::string>& probes) {
  std::vector<Problem> found;
  for (const std::optional<unsigned> k : hashes_of(variant, grid)) {
    for (Problem& problem : complaints_of(variant, grid, spec, most_keys, k, probes)) {
      if (std::find(found.begin(), found.end(), problem) == found.end())
        found.push_back(std::move(problem));
    }
  }
  return found;
}

/// Returns whether the problem was reported for an earlier size. A problem of several sizes is
/// reported once.
bool has_complaint(const PlannedFilters& planned, const Problem& problem) {
  return std::any_of(
      planned.complaints.begin(), planned.complaints.end(),
      [&](const FilterComplaint& complaint) { return complaint.problem == problem; });
}

}  // namespace

Params params_of(const VariantInfo& variant, const Grid& grid) {
  Params given;
  for (const ParamInfo& info : variant.params) {
    const auto found = grid.params.find(info.name);
    if (found != grid.params.end()) given.insert(*found);
    if (info.is_capacity && grid.capacity)
      given.emplace(info.name, static_cast<double>(*grid.capacity));
  }
  return resolve_params(variant.name, variant.params, given);
}

PlannedFilters planned_filters(const VariantInfo& variant, const Grid& grid,
                               const std::vector<std::string>& probes) {
  PlannedFilters result;
  for (const double size : grid.sizes) {
    for (const std::optional<std::uint64_t> capacity : capacities_of(grid)) {
      FilterSpec spec;
      std::vector<Problem> complaints;
      const bool has_own_size = !grid.fixed_capacity() && capacity;
      const std::vector<std::uint64_t> num_keys =
          has_own_size ? std::vector<std::uint64_t>{*capacity} : grid.num_keys;
      try {
        spec = spec_of_size(variant, grid, size, capacity);
        complaints = complaints_of(variant, grid, spec, num_keys.back(), probes);
      } catch (const ConfigError& error) {
        complaints = error.problems();
      }
      for (const Problem& problem : complaints) {
        if (has_complaint(result, problem)) continue;
        result.complaints.push_back(
            {fmt::format("{} with {} {}", variant.name, grid.size_axis, number_text(size)),
             problem});
        if (result.complaints.size() == kMaxComplaints) return result;
      }
      if (!complaints.empty()) continue;
      const bool is_per_key = grid.size_axis == name_of(SizeAxis::kBitsPerKey);
      result.filters.push_back({.spec = std::move(spec),
                                .num_keys = num_keys,
                                .bits_per_key = is_per_key ? std::optional(size) : std::nullopt});
    }
  }
  return result;
}

std::uint64_t best_at(const Grid& grid, std::uint64_t num_keys) {
  return grid.best_num_hashes == BestNumHashes::kAtCapacity ? grid.capacity.value() : num_keys;
}

/// A filter and the number of keys at which its rate is computed.
struct PointPlanner::FilledFilter {
  const VariantInfo* variant;
  ProbeModel model;
  const FilterSpec* spec;
  std::string spec_text;
  std::uint64_t num_keys;
};

PointPlanner::PointPlanner(const QueryPlan& queries) : queries_(queries) {
  if (queries.relative_error) {
    z_ = statistics::normal_upper_quantile((1 - queries.confidence) / 2);
  }
}

std::vector<Point> PointPlanner::points(const VariantInfo& variant, const SchemeInfo& scheme,
                                        const Grid& grid, const PlannedFilter& filter) {
  std::vector<Point> points;
  FilledFilter filled{&variant, scheme.model, &filter.spec,
                      size_text(filter.spec) + params_text(filter.spec.params), 0};
  const std::optional<std::uint64_t> capacity =
      variant.can(Operation::kGrow) ? grid.capacity : grid.fixed_capacity();
  for (const std::uint64_t num_keys : filter.num_keys) {
    filled.num_keys = num_keys;
    std::vector<unsigned> num_hashes = grid.num_hashes;
    if (variant.can(Operation::kGrow)) {
      num_hashes = {0};
    } else if (num_hashes.empty()) {
      num_hashes = {best_num_hashes_at(filled, grid)};
    }
    for (const unsigned k : num_hashes) {
      points.push_back({.num_inserted = num_keys,
                        .num_hashes = k,
                        .num_queries = num_queries(filled, k, grid),
                        .capacity = capacity,
                        .bits_per_key = filter.bits_per_key});
    }
  }
  std::sort(points.begin(), points.end());
  return points;
}

unsigned PointPlanner::best_num_hashes_at(FilledFilter filled, const Grid& grid) {
  if (!grid.stream || grid.best_num_hashes == BestNumHashes::kAtCapacity) {
    filled.num_keys = best_at(grid, filled.num_keys);
    return best_num_hashes(*filled.variant, *filled.spec, filled.model, filled.num_keys,
                           [&](unsigned k) { return expected_rate(filled, k); });
  }
  const std::uint64_t num_items = filled.num_keys;
  const std::optional<Window> window = filled.variant->window_of(*filled.spec);
  const std::uint64_t capacity = window ? window->num_inserts.value_or(num_items) : num_items;
  return best_num_hashes(*filled.variant, *filled.spec, filled.model, capacity, [&](unsigned k) {
    FilledFilter held = filled;
    held.num_keys = keys_held(filled, k, grid);
    return expected_rate(held, k);
  });
}

std::uint64_t PointPlanner::keys_held(const FilledFilter& filled, unsigned num_hashes,
                                      const Grid& grid) {
  if (!grid.stream) return filled.num_keys;
  FilterSpec spec = *filled.spec;
  if (num_hashes != 0) spec.num_hashes = num_hashes;
  return most_keys_of(*grid.stream, *filled.variant, spec, filled.num_keys);
}

double PointPlanner::expected_rate(const FilledFilter& filled, unsigned num_hashes) {
  const auto key =
      std::make_tuple(std::string(filled.variant->name), static_cast<char>(filled.model),
                      filled.spec_text, num_hashes, filled.num_keys);
  const auto found = rates_.find(key);
  if (found != rates_.end()) return found->second;
  FilterSpec spec = *filled.spec;
  if (num_hashes != 0) spec.num_hashes = num_hashes;
  const double rate =
      find_theory(filled.variant->name).expected_rate(spec, filled.model, filled.num_keys);
  rates_.emplace(key, rate);
  return rate;
}

std::uint64_t PointPlanner::num_queries(const FilledFilter& filled, unsigned num_hashes,
                                        const Grid& grid) {
  if (!queries_.relative_error) return queries_.num_queries;
  FilledFilter measured = filled;
  measured.num_keys = keys_held(filled, num_hashes, grid);
  if (grid.churn) measured.num_keys = num_keys_after(*grid.churn, filled.num_keys);
  const double rate = expected_rate(measured, num_hashes);
  const double error = *queries_.relative_error;
  const double wanted = z_ * z_ * (1 - rate) / (rate * error * error);
  if (!(wanted < static_cast<double>(queries_.max_queries))) return queries_.max_queries;
  return std::min(rounded_up_1_2_5(wanted), queries_.max_queries);
}

std::uint64_t rounded_up_1_2_5(double count) {
  for (std::uint64_t power = 1; power <= 1'000'000'000'000'000'000U; power *= 10) {
    for (const std::uint64_t factor : {1U, 2U, 5U}) {
      if (static_cast<double>(factor * power) >= count) return factor * power;
    }
  }
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace bloometry
