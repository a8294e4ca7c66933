#include "variants/variable_increment/variable_increment_sizing.hpp"

#include <cmath>

#include "core/probe/limits.hpp"
#include "core/rates/search.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {
namespace {

/// Returns the probability that a probe passes at load x = nk/m: the expression in brackets in the
/// formula of variable_increment_sizing_rate.
double pass_probability(double x, double L) {
  const double one_increment = (L - 1) / L * x;
  const double two_increments = (L * L - 1) / (12 * L * L) * x * x;
  return -std::expm1(-x) - std::exp(-x) * (one_increment + two_increments);
}

/// Returns the load at which a probe passes with the given probability. The function searches the
/// logarithm of the load by bisection, because loads span 300 orders of magnitude.
double load_for_pass_probability(double probability, double L) {
  double lower = std::log(1e-300);
  double upper = std::log(1e3);
  for (int i = 0; i < 100; ++i) {
    const double middle = (lower + upper) / 2;
    (pass_probability(std::exp(middle), L) < probability ? lower : upper) = middle;
  }
  return std::exp(lower);
}

}  // namespace

double variable_increment_sizing_rate(double num_keys, double num_counters, unsigned num_hashes,
                                      unsigned increment_base) noexcept {
  return std::pow(pass_probability(num_keys * num_hashes / num_counters, increment_base),
                  num_hashes);
}

unsigned best_variable_increment_num_hashes(double num_keys, double num_counters,
                                            unsigned increment_base) noexcept {
  return least_rate_num_hashes(1, 1, kMaxNumHashes, [&](unsigned k) {
    return variable_increment_sizing_rate(num_keys, num_counters, k, increment_base);
  });
}

double variable_increment_counters_for_rate(double num_keys, double rate, unsigned num_hashes,
                                            unsigned increment_base) noexcept {
  const double k = num_hashes;
  const double load = load_for_pass_probability(std::exp(std::log(rate) / k), increment_base);
  return std::ceil(num_keys * k / load) + k;
}

Geometry variable_increment_geometry(const FilterSpec& spec, unsigned counter_bits,
                                     unsigned increment_base) {
  const unsigned L = increment_base;
  return sized_geometry(
      spec, counter_bits,
      {[L](double n, double m) { return best_variable_increment_num_hashes(n, m, L); },
       [L](double n, double p, unsigned k) {
         return variable_increment_counters_for_rate(n, p, k, L);
       }});
}

}  // namespace bloometry
