#include "core/rates/cardinality.hpp"
#include "core/theory/set_operations.hpp"
#include "tests/core/theory/reference/reference_record.hpp"

// Quantities of theory 2: cardinality, AND and OR.

namespace bloometry::test::reference {
namespace {

using RecordFormula = std::function<double(const json& params)>;

theory::TwoSets sets_of(const json& p) {
  return {.n_a = p.at("n_a").get<std::uint64_t>(),
          .n_b = p.at("n_b").get<std::uint64_t>(),
          .n_common = p.at("n_common").get<std::uint64_t>()};
}

RecordFormula of_sets(double (*formula)(const theory::TwoSets&, std::uint64_t, unsigned)) {
  return [formula](const json& p) {
    return formula(sets_of(p), p.at("m").get<std::uint64_t>(), p.at("k").get<unsigned>());
  };
}

RecordFormula of_ones(double (*formula)(std::uint64_t, std::uint64_t, unsigned)) {
  return [formula](const json& p) {
    return formula(p.at("set_bits").get<std::uint64_t>(), p.at("m").get<std::uint64_t>(),
                   p.at("k").get<unsigned>());
  };
}

/// Returns the estimates. A record contains the number of ones in the AND, but the estimates need
/// the number of ones in the OR.
SetEstimates estimates_of(const json& p) {
  const auto ones_a = p.at("ones_a").get<std::uint64_t>();
  const auto ones_b = p.at("ones_b").get<std::uint64_t>();
  const auto ones_or = ones_a + ones_b - p.at("ones_and").get<std::uint64_t>();
  return set_estimates_given_ones(ProbeModel::kWithReplacement, ones_a, ones_b, ones_or,
                                  p.at("m").get<std::uint64_t>(), p.at("k").get<unsigned>());
}

double inverted_count(std::uint64_t ones, std::uint64_t m, unsigned k) {
  return count_given_ones(ProbeModel::kWithReplacement, ones, m, k);
}

}  // namespace

Quantities set_operation_quantities() {
  const std::map<std::string, RecordFormula> formulas = {
      {"standard//n_estimate_exact_inversion", of_ones(&inverted_count)},
      {"standard//n_estimate_swamidass_baldi", of_ones(&swamidass_baldi_count)},
      {"standard//n_estimate_sd", of_ones(&count_stddev)},
      {"standard//union_estimate", [](const json& p) { return estimates_of(p).count_union; }},
      {"standard//intersection_estimate",
       [](const json& p) { return *estimates_of(p).raw_intersection(); }},
      {"standard//and_fill_mean", of_sets(&bloometry::theory::and_fill_mean)},
      {"standard//and_fpr_approx", of_sets(&bloometry::theory::and_rate_approx)},
      {"standard//fpr_filter_of_intersection_approx",
       of_sets(&bloometry::theory::intersection_filter_rate_approx)},
      {"standard//or_fpr_approx", of_sets(&bloometry::theory::or_rate_approx)},
  };
  Quantities quantities;
  for (const auto& [name, formula] : formulas) quantities[name] = with_tolerance(kClosed, formula);
  return quantities;
}

}  // namespace bloometry::test::reference
