#include "experiments/verdict/conditional_rate.hpp"

#include "variants/registry/theory_registry.hpp"

namespace bloometry {

bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point) {
  const VariantTheory& theory = find_theory(point.variant);
  const FilterState counts = {.num_ones = row.num_ones, .num_passing_pairs = row.num_passing_pairs};
  const double rate = row.conditional_false_positive_rate;
  if (theory.rate_given_counts != nullptr) {
    // The same operations in the same order as the filter: equal to the last bit, on any machine.
    return theory.rate_given_counts(point.spec, point.model, counts) == rate;
  }
  if (theory.rate_range_given_counts == nullptr) return true;
  const theory::RateRange range = theory.rate_range_given_counts(point.spec, point.model, counts);
  return range.least <= rate && rate <= range.most;
}

}  // namespace bloometry
