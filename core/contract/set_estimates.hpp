#pragma once

#include <concepts>
#include <optional>

/// Estimates of the union and the intersection of the key sets of two filters of one configuration.
/// The functions need O(m) time and do not allocate memory. A and B are filters, Keyed objects or
/// AnyFilter objects. Callers that need more than one of the three estimates should call
/// estimate_sets once. The functions throw ConfigError, which names the field, if the filters
/// differ in configuration.
namespace bloometry {

/// Estimates for two sets A and B, from two filters of one configuration and the OR of the filters'
/// cells.
struct SetEstimates {
  double count_a = 0;
  double count_b = 0;
  double count_union = 0;

  /// Returns |A and B| by inclusion and exclusion, without clamping. Use raw_intersection() for
  /// averages. The estimate may be negative for almost disjoint sets. For small intersections, the
  /// relative precision is poor, because the estimate is a difference of large numbers. The
  /// estimate is absent if all cells of the union are set. The estimator of Papapetrou et al.,
  /// which counts the ones of A, of B and of the AND of both, gives the same result (theory 2).
  [[nodiscard]] std::optional<double> raw_intersection() const noexcept;

  /// Returns raw_intersection() clamped to [0, min(|A|, |B|)]. Use intersection() for reports.
  [[nodiscard]] std::optional<double> intersection() const noexcept;

  /// Returns |A and B| / |A or B| in [0, 1]. The result is 1 for two empty sets, because empty sets
  /// are equal.
  [[nodiscard]] std::optional<double> jaccard() const noexcept;
};

template <class A, class B>
concept SetComparable = requires(const A& a, const B& b) {
  { a.estimate_sets(b) } -> std::same_as<SetEstimates>;
};

/// Returns an estimate of |A or B|, or +infinity if every cell is set in at least one of the two
/// filters.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] double estimate_union(const A& a, const B& b) {
  return a.estimate_sets(b).count_union;
}

/// Returns an estimate of |A and B|, clamped to [0, min(|A|, |B|)], or std::nullopt if the estimate
/// of the union is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_intersection(const A& a, const B& b) {
  return a.estimate_sets(b).intersection();
}

/// Returns an estimate of |A and B| / |A or B| in [0, 1], or std::nullopt if the estimate of the
/// union is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_jaccard(const A& a, const B& b) {
  return a.estimate_sets(b).jaccard();
}

}  // namespace bloometry
