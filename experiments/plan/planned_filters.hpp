#pragma once

#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/unit/unit.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// One filter of a grid: its spec without num_hashes, and the numbers of keys at which the filter
/// is queried. If the grid has a capacity or if the size does not depend on n, one filter is used
/// for all num_keys. With bits_per_key but without capacity, each number of keys has its own
/// filter.
struct PlannedFilter {
  FilterSpec spec;
  std::vector<std::uint64_t> num_keys;
  std::optional<double> bits_per_key{};  ///< bits_per_key of the grid, if given
};

/// Returns the parameters of a grid that this variant has, with all defaults. For a filter that
/// grows, the grid's `capacity` becomes the parameter initial_capacity.
[[nodiscard]] Params params_of(const VariantInfo& variant, const Grid& grid);

/// The reason why some filter of a grid is invalid.
struct FilterComplaint {
  std::string filter;  ///< description, such as `partitioned with num_bits 3`
  Problem problem;  ///< problem that the variant reports; most problems name a member or parameter

  [[nodiscard]] std::string line() const { return fmt::format("{}: {}", filter, problem.line()); }
};

/// The filters of one variant in a grid, and the problems of invalid filters.
struct PlannedFilters {
  std::vector<PlannedFilter> filters;
  std::vector<FilterComplaint> complaints;  ///< the first few problems
};

/// Returns the filters of the variant. A problem is also a filter that forgets a key of the grid's
/// window, or, in a grid without a window, one of its num_keys.
[[nodiscard]] PlannedFilters planned_filters(const VariantInfo& variant, const Grid& grid,
                                             const std::vector<std::string>& probes);

/// Returns the number of keys at which the best k minimises the rate, for the checkpoint with
/// num_keys keys.
[[nodiscard]] std::uint64_t best_at(const Grid& grid, std::uint64_t num_keys);

/// A planner that chooses k and the number of queries for the points of a filter. The planner
/// computes an expected rate once per (variant, model, spec, k, n), because the choice of k, the
/// numbers of queries and several grids use the same rates.
class PointPlanner {
 public:
  explicit PointPlanner(const QueryPlan& queries);

  /// Returns all points of a filter with a probe scheme, sorted.
  [[nodiscard]] std::vector<Point> points(const VariantInfo& variant, const SchemeInfo& scheme,
                                          const Grid& grid, const PlannedFilter& filter);

 private:
  struct FilledFilter;

  unsigned best_num_hashes_at(FilledFilter filled, const Grid& grid);
  double expected_rate(const FilledFilter& filled, unsigned num_hashes);
  std::uint64_t num_queries(const FilledFilter& filled, unsigned num_hashes, const Grid& grid);
  /// Returns num_keys of the filter, or the most keys that it holds in a stream of so many items.
  static std::uint64_t keys_held(const FilledFilter& filled, unsigned num_hashes, const Grid& grid);

  QueryPlan queries_;
  double z_ = 0;  // two-sided normal quantile of the confidence
  std::map<std::tuple<std::string, char, std::string, unsigned, std::uint64_t>, double> rates_;
};

/// Returns the smallest number that is at least `count` and is 1, 2 or 5 times a power of ten.
/// Returns 1 if `count` is below 1.
[[nodiscard]] std::uint64_t rounded_up_1_2_5(double count);

}  // namespace bloometry
