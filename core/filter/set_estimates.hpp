#pragma once

#include <concepts>
#include <optional>

/// Estimates from two filters of one configuration about their sets, without building a third
/// filter. Each function is O(m) and does not allocate. A and B are filters, Keyed ones or
/// AnyFilters. Callers that need more than one of the three values call estimate_sets once. Each
/// function throws ConfigError, which names the field, if the two differ in configuration.
namespace bloometry {

/// Estimates for two sets A and B from filters of one configuration and the OR of their cells.
struct SetEstimates {
  double count_a = 0;
  double count_b = 0;
  double count_union = 0;

  /// Returns |A and B| by inclusion and exclusion, not clamped: for statistics. It may be below 0
  /// for almost disjoint sets. As a difference of large numbers, it has poor relative precision for
  /// small overlaps. Absent if the union's cells are all set. The estimator of Papapetrou et al. in
  /// the ones of A, B and their AND gives the same number (theory 2).
  [[nodiscard]] std::optional<double> raw_intersection() const noexcept;

  /// Returns the same clamped to [0, min(|A|, |B|)]: for reports.
  [[nodiscard]] std::optional<double> intersection() const noexcept;

  /// Returns |A and B| / |A or B| in [0, 1]; 1 for two empty sets, which are equal.
  [[nodiscard]] std::optional<double> jaccard() const noexcept;
};

template <class A, class B>
concept SetComparable = requires(const A& a, const B& b) {
  { a.estimate_sets(b) } -> std::same_as<SetEstimates>;
};

/// Returns |A or B|; +infinity if every cell is set in one or the other.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] double estimate_union(const A& a, const B& b) {
  return a.estimate_sets(b).count_union;
}

/// Returns |A and B|, clamped to [0, min(|A|, |B|)]; absent if the union's estimate is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_intersection(const A& a, const B& b) {
  return a.estimate_sets(b).intersection();
}

/// Returns |A and B| / |A or B| in [0, 1]; absent if the union's estimate is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_jaccard(const A& a, const B& b) {
  return a.estimate_sets(b).jaccard();
}

}  // namespace bloometry
