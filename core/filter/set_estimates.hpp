#pragma once

#include <concepts>
#include <optional>

#include "core/filter/cardinality.hpp"

/// What two filters of one configuration say of the sets that they hold, without building a third;
/// O(m), no allocation. A and B are filters, Keyed ones or AnyFilters. Who wants more than one of
/// the three asks estimate_sets once. Each throws ConfigError, naming the field, if the two differ
/// in configuration.
namespace bloometry {

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
