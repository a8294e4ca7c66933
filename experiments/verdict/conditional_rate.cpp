#include "experiments/verdict/conditional_rate.hpp"

#include "variants/theory_registry.hpp"

namespace bloometry {

std::optional<double> rate_from_counts(const TrialRow& row, const TheoryPoint& point) {
  const VariantTheory& theory = find_theory(point.variant);
  if (theory.rate_given_counts == nullptr) return std::nullopt;
  return theory.rate_given_counts(
      point.spec, point.model,
      {.num_ones = row.num_ones, .num_passing_pairs = row.num_passing_pairs});
}

bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point) {
  const std::optional<double> rate = rate_from_counts(row, point);
  if (!rate) return true;
  // The same operations in the same order as the filter: equal to the last bit, on any machine.
  return *rate == row.conditional_false_positive_rate;
}

}  // namespace bloometry
