#include "variants/variable_increment/variable_increment_theory.hpp"

#include <cmath>

#include "core/rates/rate_given_state.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/pass_variance.hpp"
#include "core/theory/standard_rates.hpp"
#include "core/theory/variable_increment_rates.hpp"

namespace bloometry {

// The functions ignore the model argument, because the filter accepts schemes of model W only.

namespace {

std::optional<double> rate_stddev(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L) {
  const auto variance =
      theory::pass_rate_variance(theory::variable_increment_pass_table(2 * k, L), n, m, k);
  if (!variance) return std::nullopt;
  return std::sqrt(*variance);
}

}  // namespace

Prediction VariableIncrementTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                            std::uint64_t num_keys) {
  const Geometry geometry = VariableIncrementFilter::geometry(spec);
  const std::uint64_t n = num_keys;
  const std::uint64_t m = geometry.num_cells;
  const unsigned k = geometry.num_hashes;
  const unsigned L = VariableIncrementFilter::increment_base(spec);
  return {.exact = theory::variable_increment_exact_rate(n, m, k, L),
          .approximations = {{"classic", theory::classic_rate(n, m, k)},
                             {"paper", theory::variable_increment_paper_rate(n, m, k, L)},
                             {"poisson", theory::variable_increment_poisson_rate(n, m, k, L)}},
          .expected_fill_ratio = theory::fill_moments(ProbeModel::kWithReplacement, n, m, k).mean /
                                 static_cast<double>(m),
          .rate_stddev = rate_stddev(n, m, k, L)};
}

double VariableIncrementTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                              std::uint64_t num_keys) {
  const Geometry geometry = VariableIncrementFilter::geometry(spec);
  return theory::variable_increment_exact_rate(num_keys, geometry.num_cells, geometry.num_hashes,
                                               VariableIncrementFilter::increment_base(spec));
}

std::optional<theory::FillLaw> VariableIncrementTheory::fill_law(const FilterSpec& spec,
                                                                 ProbeModel /*model*/,
                                                                 std::uint64_t num_keys) {
  const Geometry geometry = VariableIncrementFilter::geometry(spec);
  return theory::FillLaw(ProbeModel::kWithReplacement, num_keys, geometry.num_cells,
                         geometry.num_hashes);
}

double VariableIncrementTheory::rate_given_counts(const FilterSpec& spec, ProbeModel /*model*/,
                                                  const FilterState& counts) {
  const Geometry geometry = VariableIncrementFilter::geometry(spec);
  const double num_pairs = static_cast<double>(geometry.num_cells) *
                           static_cast<double>(VariableIncrementFilter::increment_base(spec));
  const auto num_passing = static_cast<double>(counts.num_passing_pairs.value_or(0));
  return integer_power(num_passing / num_pairs, geometry.num_hashes);
}

}  // namespace bloometry
