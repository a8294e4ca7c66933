#include <cstdio>
#include <string>
#include <vector>

#include "core/theory/equal_memory.hpp"
#include "core/theory/independent_rates.hpp"
#include "core/theory/variable_increment_rates.hpp"
#include "tests/core/theory/reference/reference_record.hpp"
#include "tests/support/reference/increment_set.hpp"

namespace bloometry::test::reference {
namespace {

using theory::PassTable;

unsigned base_of(const json& p) {
  return p.at("L").get<unsigned>();
}

IncrementSet set_of(const json& p) {
  if (!p.contains("D")) return IncrementSet::consecutive(base_of(p));
  return IncrementSet(p.at("D").get<std::vector<unsigned>>());
}

/// Returns the pass table of one probe, for a filter with D_L or with any D. The table for any D is
/// computed from reachable sums.
PassTable one_probe(const json& p) {
  if (p.contains("L")) return theory::variable_increment_pass_table(1, base_of(p));
  return increment_set_pass_table(1, set_of(p));
}

/// Returns the rate at the best k, or 0 if the record's k is not the best.
double best_increment_rate(const json& p) {
  const auto best = theory::best_poisson_rate(
      one_probe(p), p.at("bits_per_key").get<double>() / p.at("counter_bits").get<double>());
  return best.num_hashes == k_of(p) ? best.rate : 0.0;
}

/// Returns the bits per key at the record's rate, for a config such as "vi L=4 w=6".
double increment_bits_per_key(const json& p) {
  unsigned base = 0;
  unsigned counter_bits = 0;
  const auto config = p.at("config").get<std::string>();
  if (std::sscanf(config.c_str(), "vi L=%u w=%u", &base, &counter_bits) != 2) return 0.0;
  return counter_bits *
         theory::cells_per_key_for_rate(theory::variable_increment_pass_table(1, base), rate_of(p));
}

template <std::uint64_t above>
double tail_at_cap(const json& p) {
  const std::uint64_t cap = (std::uint64_t{1} << p.at("counter_bits").get<unsigned>()) - 1;
  return increment_tail_poisson(load_of(p), set_of(p), cap + above);
}

double bh_paper_of(const json& p) {
  return bh_paper_rate(n_of(p), m_of(p), k_of(p), p.at("ell").get<unsigned>(),
                       p.at("h").get<unsigned>());
}

/// Returns a function of a record's parameters that calls f(n, m, k, L).
template <class F>
auto of_nmk_and_base(F f) {
  return [f](const json& p) { return f(n_of(p), m_of(p), k_of(p), base_of(p)); };
}

}  // namespace

Quantities variable_increment_quantities() {
  using namespace theory;
  return {
      {"variable_increment/W/fpr_exact",
       with_tolerance(kChain, of_nmk_and_base(variable_increment_exact_rate))},
      {"variable_increment//fpr_paper",
       with_tolerance(kChain, of_nmk_and_base(variable_increment_paper_rate))},
      {"variable_increment//fpr_poisson",
       with_tolerance(kChain, of_nmk_and_base(variable_increment_poisson_rate))},
      {"variable_increment//fpr_best_k_equal_memory", with_tolerance(kChain, best_increment_rate)},
      {"variable_increment//bits_per_key_for_fpr", with_tolerance(kChain, increment_bits_per_key)},
      {"variable_increment//optimal_load",
       with_tolerance(kChain, [](const json& p) { return optimal_load(one_probe(p)).load; })},
      {"variable_increment//fpr_base_per_counter",
       with_tolerance(kChain, [](const json& p) { return optimal_load(one_probe(p)).base; })},
      {"variable_increment//probe_pass_probability",
       with_tolerance(
           kChain, [](const json& p) { return probe_pass_probability(one_probe(p), load_of(p)); })},
      // These tails need up to 100 convolutions of positive terms.
      {"variable_increment//counter_tail_ge_cap", with_tolerance(kBeta, tail_at_cap<0>)},
      {"variable_increment//counter_tail_gt_cap", with_tolerance(kBeta, tail_at_cap<1>)},
      {"variable_increment//fpr_paper_form", with_tolerance(kChain, bh_paper_of)},
      {"variable_increment//is_Bh_sequence",
       with_tolerance(
           kExactInteger,
           [](const json& p) { return is_bh_sequence(set_of(p), p.at("h").get<unsigned>()); })},
  };
}

}  // namespace bloometry::test::reference
