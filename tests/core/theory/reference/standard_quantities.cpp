#include <cmath>
#include <vector>

#include "core/theory/fill_moments.hpp"
#include "core/theory/rate_variance.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/core/theory/reference/reference_record.hpp"
#include "tests/support/reference/classic_sizing.hpp"

namespace bloometry::test::reference {
namespace {

template <ProbeModel model>
double exact_of(const json& p) {
  return theory::exact_rate(model, n_of(p), m_of(p), k_of(p));
}

/// Returns the partitioned rate. Some records list the lengths of their slices. In records without
/// such a list, k slices of nearly equal length contain the m bits.
double partitioned_rate_of(const json& p) {
  if (!p.contains("slices")) return exact_of<kP>(p);
  const auto slices = p.at("slices").get<std::vector<std::uint64_t>>();
  return theory::exact_rate_of_slices(n_of(p), slices);
}

theory::FillMoments fill_of(const json& p) {
  return theory::fill_moments(kW, n_of(p), m_of(p), k_of(p));
}

double mean_fill_of(const json& p) {
  return fill_of(p).mean / static_cast<double>(m_of(p));
}

double variance_of(const json& p) {
  return theory::rate_variance(kW, n_of(p), m_of(p), k_of(p));
}

/// Returns the bits per key at which the best k increases by one. The recorded c bits per key must
/// lie in a narrow bracket: c (1 - 1e-6) must give k_from, and c (1 + 1e-6) must give k_to.
double crossover_of(const json& p, double expected) {
  const std::uint64_t n = 1'000'000'000;
  const double m = expected * static_cast<double>(n);
  const auto below = static_cast<std::uint64_t>(m * (1.0 - 1e-6));
  const auto above = static_cast<std::uint64_t>(m * (1.0 + 1e-6));
  const bool flips = theory::best_num_hashes(n, below) == p.at("k_from").get<unsigned>() &&
                     theory::best_num_hashes(n, above) == p.at("k_to").get<unsigned>();
  return flips ? expected : 0.0;
}

double capacity_of(const json& p) {
  const double rate = rate_of(p);
  return theory::classic_capacity(m_of(p), rate, theory::best_num_hashes_for_rate(rate));
}

/// Returns the bits per key at the best k, or 0 if the record's k is not the best.
double bits_at_best_k(const json& p) {
  if (theory::best_num_hashes_for_rate(rate_of(p)) != k_of(p)) return 0.0;
  return 1.0 / theory::classic_capacity(1, rate_of(p), k_of(p));
}

std::uint64_t least_exact_bits(const json& p) {
  return theory::guaranteed_num_bits(kW, n_of(p), rate_of(p), k_of(p));
}

std::uint64_t least_classic_bits(const json& p) {
  return theory::classic_num_bits(n_of(p), rate_of(p), k_of(p));
}

}  // namespace

Quantities standard_quantities() {
  using namespace theory;
  return {
      {"standard/W/fpr_exact", with_tolerance(kChain, exact_of<kW>)},
      {"standard/D/fpr_exact", with_tolerance(kChain, exact_of<kD>)},
      {"partitioned/P/fpr_exact", with_tolerance(kChain, partitioned_rate_of)},
      {"standard//fpr_classic", with_tolerance(kClosed, of_nmk(classic_rate))},
      {"standard//fpr_semi", with_tolerance(kClosed, of_nmk(semi_rate))},
      {"standard//fpr_second_order", with_tolerance(kClosed, of_nmk(second_order_rate))},
      {"standard//fpr_goel_gupta_upper", with_tolerance(kClosed, of_nmk(goel_gupta_upper_rate))},
      {"standard/W/fill_mean_bits",
       with_tolerance(kClosed, [](const json& p) { return fill_of(p).mean; })},
      {"standard/W/fill_fraction_mean", with_tolerance(kClosed, mean_fill_of)},
      {"standard/W/fill_var_bits",
       with_tolerance(kClosed, [](const json& p) { return fill_of(p).variance; })},
      {"standard/W/fill_bits_sd",
       with_tolerance(kClosed, [](const json& p) { return std::sqrt(fill_of(p).variance); })},
      {"standard/W/fpr_filter_var", with_tolerance(kVariance, variance_of)},
      {"standard/W/fpr_filter_sd",
       with_tolerance(kVariance, [](const json& p) { return std::sqrt(variance_of(p)); })},
      {"standard/W/min_m_exact", with_tolerance(kExactInteger, least_exact_bits)},
      {"standard//min_m_classic", with_tolerance(kExactInteger, least_classic_bits)},
      {"standard//capacity_real", with_tolerance(kClosed, capacity_of)},
      {"standard//k_crossover_bits_per_key", {crossover_of, kExactInteger}},
      {"standard//bits_per_key_continuous",
       with_tolerance(kClosed, [](const json& p) { return continuous_num_bits(1, rate_of(p)); })},
      {"standard//bits_per_key_best_integer_k", with_tolerance(kClosed, bits_at_best_k)},
  };
}

}  // namespace bloometry::test::reference
