#include "core/theory/equal_memory.hpp"

#include <algorithm>
#include <cmath>

#include "core/probe/limits.hpp"
#include "core/rates/root_between.hpp"
#include "core/require_domain.hpp"
#include "core/theory/independent_rates.hpp"

namespace bloometry::theory {
namespace {

double log_rate(const PassTable& table, double load) {
  return load * std::log(probe_pass_probability(table, load));
}

/// Returns the derivative of log_rate() with respect to the load.
double log_rate_slope(const PassTable& table, double load) {
  const double pass = probe_pass_probability(table, load);
  return std::log(pass) + load * probe_pass_slope(table, load) / pass;
}

/// Returns the load at which a probe passes with the given probability. The function g increases
/// from pass(0) to 1.
double load_for_pass(const PassTable& table, double probability) {
  const auto excess = [&](double load) {
    return probe_pass_probability(table, load) - probability;
  };
  double high = 1.0;
  while (excess(high) < 0.0) high *= 2.0;
  return root_between(0.0, high, excess);
}

}  // namespace

BestRate best_poisson_rate(const PassTable& table, double cells_per_key) {
  BestRate best;
  for (unsigned k = 1; k <= kMaxNumHashes; ++k) {
    const double rate = poisson_rate(table, cells_per_key, k);
    if (k == 1 || rate < best.rate) best = {k, rate};
  }
  return best;
}

double cells_per_key_for_rate(const PassTable& table, double p) {
  require_domain(p > 0.0 && p < 1.0, "p", "in (0, 1)", p);
  double least = HUGE_VAL;
  for (unsigned k = 1; k <= kMaxNumHashes; ++k) {
    const double pass = std::pow(p, 1.0 / k);
    if (table.pass(1, 0) < pass) least = std::min(least, k / load_for_pass(table, pass));
  }
  require_domain(std::isfinite(least), "p", "a rate that at most 64 hashes reach", p);
  return least;
}

OptimalLoad optimal_load(const PassTable& table) {
  constexpr double kRatio = 1.06;
  const double last = 20.0 + 2.0 * static_cast<double>(table.num_undecided());
  double best = 1e-3;
  for (double load = best; load < last; load *= kRatio) {
    if (log_rate(table, load) < log_rate(table, best)) best = load;
  }
  const double load = root_between(best / kRatio, best * kRatio,
                                   [&](double x) { return log_rate_slope(table, x); });
  return {load, std::exp(log_rate(table, load))};
}

}  // namespace bloometry::theory
