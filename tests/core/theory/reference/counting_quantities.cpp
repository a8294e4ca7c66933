#include "core/theory/counter_churn.hpp"
#include "core/theory/counter_tails.hpp"
#include "core/theory/equal_memory.hpp"
#include "core/theory/independent_rates.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/core/theory/reference/reference_record.hpp"

namespace bloometry::test::reference {
namespace {

std::uint64_t at_least_of(const json& p) {
  return p.at("at_least").get<std::uint64_t>();
}

double tail_per_probe(const json& p) {
  return theory::counter_tail_per_probe(n_of(p), m_of(p), k_of(p), at_least_of(p));
}

double tail_per_position(const json& p) {
  return theory::counter_tail_per_position(n_of(p), m_of(p), k_of(p), at_least_of(p));
}

double num_counters_above(const json& p) {
  return static_cast<double>(m_of(p)) * tail_per_probe(p);
}

theory::PassTable one_probe() {
  return theory::PassTable::any_hit(1);
}

double classic_at(const json& p) {
  return theory::poisson_rate(one_probe(), p.at("counters_per_key").get<double>(), k_of(p));
}

/// Returns the rate at the best k, or 0 if the record's k is not the best.
double best_counting_rate(const json& p) {
  const auto best = theory::best_poisson_rate(
      one_probe(), p.at("bits_per_key").get<double>() / p.at("counter_bits").get<double>());
  return best.num_hashes == k_of(p) ? best.rate : 0.0;
}

double counting_bits_per_key(const json& p) {
  return p.at("config") == "cbf4" ? 4.0 * theory::cells_per_key_for_rate(one_probe(), rate_of(p))
                                  : 0.0;
}

}  // namespace

Quantities counting_quantities() {
  using namespace theory;
  return {
      {"counting/W/fpr_exact", with_tolerance(kChain, of_nmk(exact_rate_with_replacement))},
      {"counting//counter_tail_poisson",
       with_tolerance(
           kBeta, [](const json& p) { return counter_tail_poisson(load_of(p), at_least_of(p)); })},
      {"counting//counter_tail_binomial", with_tolerance(kBeta, tail_per_probe)},
      {"counting//counter_tail_binomial_dedup", with_tolerance(kBeta, tail_per_position)},
      {"counting//expected_counters_at_least", with_tolerance(kBeta, num_counters_above)},
      {"counting//poisson_pmf", with_tolerance(kClosed,
                                               [](const json& p) {
                                                 return counter_count_poisson(
                                                     load_of(p),
                                                     p.at("count").get<std::uint64_t>());
                                               })},
      // The bound is a number with three rounding errors, raised to the power of 32.
      {"counting//fan_bound_per_counter",
       with_tolerance(kChain,
                      [](const json& p) { return fan_counter_bound(load_of(p), at_least_of(p)); })},
      {"counting//p_count1_given_positive",
       with_tolerance(kClosed, [](const json& p) { return share_of_ones(load_of(p)); })},
      {"counting//false_negatives_per_wrong_delete",
       with_tolerance(
           kClosed,
           [](const json& p) { return members_lost_per_wrongful_erase(load_of(p), k_of(p)); })},
      {"counting//fpr_classic_ratio", with_tolerance(kChain, classic_at)},
      {"counting//fpr_best_k_equal_memory", with_tolerance(kChain, best_counting_rate)},
      {"counting//bits_per_key_for_fpr", with_tolerance(kChain, counting_bits_per_key)},
  };
}

}  // namespace bloometry::test::reference
