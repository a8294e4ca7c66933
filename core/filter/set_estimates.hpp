#pragma once

#include <concepts>
#include <optional>

/// What two filters of one configuration say of the sets that they hold, without building a third;
/// O(m), no allocation. A and B are filters, Keyed ones or AnyFilters. Who wants more than one of
/// the three asks estimate_sets once. Each throws ConfigError, naming the field, if the two differ
/// in configuration.
namespace bloometry {

/// Estimates for two sets A and B from filters of one configuration and the OR of their cells.
struct SetEstimates {
  double count_a = 0;
  double count_b = 0;
  double count_union = 0;

  /// |A and B| by inclusion and exclusion, as it comes: for statistics. Below 0 for sets that share
  /// next to nothing; a difference of large numbers, of poor relative precision for small overlaps.
  /// Absent if the union's cells are all set. The estimator of Papapetrou et al. in the ones of A,
  /// B and their AND is the same number (theory 2).
  [[nodiscard]] std::optional<double> raw_intersection() const noexcept;

  /// The same held in [0, min(|A|, |B|)]: for reports.
  [[nodiscard]] std::optional<double> intersection() const noexcept;

  /// |A and B| / |A or B| in [0, 1]; 1 for two empty sets, which are equal.
  [[nodiscard]] std::optional<double> jaccard() const noexcept;
};

template <class A, class B>
concept SetComparable = requires(const A& a, const B& b) {
  { a.estimate_sets(b) } -> std::same_as<SetEstimates>;
};

/// |A or B|; +infinity if every cell is set in one or the other.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] double estimate_union(const A& a, const B& b) {
  return a.estimate_sets(b).count_union;
}

/// |A and B|, held in [0, min(|A|, |B|)]; absent where the union's estimate is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_intersection(const A& a, const B& b) {
  return a.estimate_sets(b).intersection();
}

/// |A and B| / |A or B| in [0, 1]; absent where the union's estimate is infinite.
template <class A, class B>
requires SetComparable<A, B>

[[nodiscard]] std::optional<double> estimate_jaccard(const A& a, const B& b) {
  return a.estimate_sets(b).jaccard();
}

}  // namespace bloometry
