#include "experiments/verdict/conditional_rate.hpp"

#include "core/filter/rate_given_state.hpp"
#include "variants/registry.hpp"

namespace bloometry {

std::optional<double> rate_from_counts(const TrialRow& row, const TheoryPoint& point) {
  if (!row.num_hashes) return std::nullopt;
  const auto num_hashes = static_cast<unsigned>(*row.num_hashes);
  const std::uint64_t num_cells = row.num_counters.value_or(row.num_bits);
  if (row.variant == "standard" || row.variant == "counting") {
    return rate_given_ones(point.model, row.num_ones, num_cells, num_hashes);
  }
  if (row.variant == "variable_increment" && row.num_passing_pairs) {
    const Params params =
        resolve_params(row.variant, find_variant(row.variant).params, point.spec.params);
    const double num_pairs =
        static_cast<double>(num_cells) * number_param(params, "increment_base");
    return power(static_cast<double>(*row.num_passing_pairs) / num_pairs, num_hashes);
  }
  return std::nullopt;
}

bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point) {
  const std::optional<double> rate = rate_from_counts(row, point);
  if (!rate) return true;
  // The same operations in the same order as the filter: equal to the last bit, on any machine.
  return *rate == row.conditional_false_positive_rate;
}

}  // namespace bloometry
