#pragma once

#include <concepts>
#include <optional>

/// Estimates of the sizes of two filters' key sets. The filters have the same configuration, and a
/// third filter is not built. Each function is O(m) and does not allocate. A and B are filters,
/// Keyed objects or AnyFilter objects. Callers that need more than one of the three values call
/// estimate_sets once. Each function throws ConfigError, which names the field, if the filters
/// differ in configuration.
namespace bloometry {

/// Estimates for two sets A and B, from two filters of one configuration and the OR of the filters'
/// cells.
struct SetEstimates {
  double count_a = 0;
  double count_b = 0;
  double count_union = 0;

  /// Returns |A and B| by inclusion and exclusion, without clamping. Use raw_intersection for
  /// statistics. The value may be below 0 for almost disjoint sets. For small overlaps, the
  /// relative precision is poor, because the value is a difference of large numbers. The value is
  /// absent if all cells of the union are set. The estimator of Papapetrou et al. counts the ones
  /// of A, of B and of the AND of both. Its result equals raw_intersection (theory 2).
  [[nodiscard]] std::optional<double> raw_intersection() const noexcept;

  /// Returns raw_intersection() clamped to [0, min(|A|, |B|)]. Use `intersection` for reports.
  [[nodiscard]] std::optional<double> intersection() const noexcept;

  /// Returns |A and B| / |A or B| in [0, 1]. The value is 1 for two empty sets, because empty sets
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

/// Returns an estimate of |A and B|, clamped to [0, min(|A|, |B|)]. The value is absent if the
/// estimate of the union is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_intersection(const A& a, const B& b) {
  return a.estimate_sets(b).intersection();
}

/// Returns an estimate of |A and B| / |A or B| in [0, 1]. The value is absent if the estimate of
/// the union is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_jaccard(const A& a, const B& b) {
  return a.estimate_sets(b).jaccard();
}

}  // namespace bloometry
