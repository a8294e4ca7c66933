#include <cmath>

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/significance.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/core/theory/reference/reference_record.hpp"
#include "tests/support/reference/classic_sizing.hpp"

namespace bloometry::test::reference {
namespace {

statistics::Interval interval_of(const json& p) {
  return statistics::clopper_pearson(p.at("hits").get<std::uint64_t>(),
                                     p.at("queries").get<std::uint64_t>(),
                                     p.at("alpha").get<double>());
}

double queries_of(const json& p) {
  return statistics::queries_for_relative_precision(rate_of(p), p.at("rel").get<double>(),
                                                    p.at("alpha").get<double>());
}

Quantities statistics_quantities() {
  return {
      {"stats//clopper_pearson_lower",
       with_tolerance(kBeta, [](const json& p) { return interval_of(p).lower; })},
      {"stats//clopper_pearson_upper",
       with_tolerance(kBeta, [](const json& p) { return interval_of(p).upper; })},
      {"stats//z_two_sided",
       with_tolerance(
           kClosed,
           [](const json& p) { return statistics::two_sided_z(p.at("alpha").get<double>()); })},
      {"stats//queries_for_relative_precision", with_tolerance(kClosed, queries_of)},
  };
}

/// Returns bounds in bits per key, computed from log2(1/p) and n ln(1/p)/(ln 2)^2. The ratio of two
/// bounds is the same for any p.
Quantities bound_quantities() {
  using namespace theory;
  const auto over_bound = [](double p) {
    return continuous_num_bits(1, p) / information_bound_bits_per_key(p);
  };
  return {
      {"bound//min_bits_per_key",
       with_tolerance(kClosed,
                      [](const json& p) { return information_bound_bits_per_key(rate_of(p)); })},
      {"bound//bits_per_key_per_decade",
       with_tolerance(kClosed, [](const json&) { return continuous_num_bits(1, 0.1); })},
      {"bound//bloom_ratio",
       with_tolerance(kClosed, [over_bound](const json&) { return over_bound(1e-3); })},
      {"bound//cbf4_ratio",
       with_tolerance(kClosed, [over_bound](const json&) { return 4.0 * over_bound(1e-3); })},
      {"hash//collision_floor",
       with_tolerance(kClosed,
                      [](const json& p) {
                        return -std::expm1(
                            static_cast<double>(n_of(p)) *
                            std::log1p(-std::ldexp(1.0, -p.at("hash_bits").get<int>())));
                      })},
  };
}

/// Returns the values of theory 10, each from the function that a user would call.
Quantities seed_quantities() {
  using namespace theory;
  const auto continuous = [](const json& p) { return continuous_num_bits(n_of(p), rate_of(p)); };
  const auto real_k = [](const json& p) { return continuous_num_hashes(n_of(p), m_of(p)); };
  return {
      {"seed//a_classic", with_tolerance(kClosed, of_nmk(classic_rate))},
      {"seed//a_exact", with_tolerance(kChain, of_nmk(exact_rate_with_replacement))},
      {"seed//a_linear_limit", with_tolerance(kClosed, of_nmk(linear_rate))},
      {"seed//a_ratio_exact_to_limit",
       with_tolerance(kChain, of_nmk([](std::uint64_t n, std::uint64_t m, unsigned k) {
                        return exact_rate_with_replacement(n, m, k) / linear_rate(n, m, k);
                      }))},
      {"seed//b_exact", with_tolerance(kChain, of_nmk(exact_rate_with_replacement))},
      {"seed//b_m_real", with_tolerance(kClosed, continuous)},
      {"seed//b_m_int",
       with_tolerance(kExactInteger,
                      [continuous](const json& p) { return std::floor(continuous(p)); })},
      {"seed//b_k_real", with_tolerance(kClosed, real_k)},
      {"seed//c_exact", with_tolerance(kChain, of_nmk(exact_rate_with_replacement))},
      {"seed//c_m_real", with_tolerance(kClosed, continuous)},
      {"seed//c_m_ceil",
       with_tolerance(kExactInteger,
                      [continuous](const json& p) { return std::ceil(continuous(p)); })},
      {"seed//c_k_real", with_tolerance(kClosed, real_k)},
      {"seed//c_k_ceil",
       with_tolerance(kExactInteger, [real_k](const json& p) { return std::ceil(real_k(p)); })},
      {"seed//d_bits_per_decade",
       with_tolerance(kClosed, [](const json&) { return continuous_num_bits(1, 0.1); })},
      {"seed//d_bits_per_key_1pct",
       with_tolerance(kClosed, [](const json&) { return continuous_num_bits(1, 0.01); })},
      {"seed//e_fpr_half_full", with_tolerance(kChain,
                                               [](const json& p) {
                                                 return exact_rate_with_replacement(
                                                     n_of(p), 1154156033, k_of(p));
                                               })},
      {"seed//e_fill_for_1e-4_k8",
       with_tolerance(kClosed, [](const json& p) { return classic_fill_for_rate(1e-4, k_of(p)); })},
      {"seed//e_k_half_full_for_1e-4",
       with_tolerance(kClosed, [](const json&) { return information_bound_bits_per_key(1e-4); })},
      {"seed//e_m_for_1e-4_k8",
       with_tolerance(kExactInteger,
                      [](const json& p) { return classic_num_bits(n_of(p), 1e-4, k_of(p)); })},
      {"seed//e_m_half_full",
       with_tolerance(kExactInteger,
                      [](const json& p) { return classic_num_bits(n_of(p), 0x1p-8, k_of(p)); })},
      {"seed//e_m_optimal_1e-4",
       with_tolerance(kExactInteger,
                      [](const json& p) { return std::ceil(continuous_num_bits(n_of(p), 1e-4)); })},
  };
}

}  // namespace

Quantities other_quantities() {
  Quantities all = statistics_quantities();
  all.merge(bound_quantities());
  all.merge(seed_quantities());
  return all;
}

}  // namespace bloometry::test::reference
