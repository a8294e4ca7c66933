#include "core/theory/variable_increment_rates.hpp"

#include <cmath>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/occupancy_chain.hpp"

namespace bloometry::theory {
namespace {

void require_increments(unsigned L) {
  require_domain(L > 0, "L", "at least 1", L);
}

/// Returns mu_b, the probability that b increments of a query all pass on a counter that received
/// two increments.
double pass_on_two(unsigned b, unsigned L) {
  const double width = L;
  if (b == 1) return 1.0 - (1.0 - 1.0 / (width * width)) / 6.0;  // closed form for any L
  double sum = 0.5 * width * (width - 1.0);  // a + a' >= L: every increment passes
  for (unsigned s = 1; s <= L; ++s) sum += s * std::pow(s / width, b);
  return sum / (width * width);
}

/// Returns P(a probe passes)^k, given the probabilities of one, two, and three or more increments
/// on a counter.
double independent_rate(double one, double two, double more, unsigned k, unsigned L) {
  return std::pow(std::fmin(1.0, one / L + two * pass_on_two(1, L) + more), k);
}

}  // namespace

PassTable variable_increment_pass_table(unsigned k, unsigned L) {
  require_increments(L);
  std::vector<std::vector<double>> rows;
  for (unsigned b = 1; b <= k; ++b) {
    rows.push_back({0.0, std::pow(1.0 / L, b), std::fmin(1.0, pass_on_two(b, L))});
  }
  return PassTable(std::move(rows));
}

double variable_increment_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  return occupancy_chain_rate(n, m, variable_increment_pass_table(k, L));
}

double variable_increment_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  require_increments(L);
  const double throws = static_cast<double>(n) * k;
  const double cells = static_cast<double>(m);
  const double more = statistics::binomial_upper_tail(throws, 1.0 / cells, 3.0);
  if (n == 0 || m == 1) {
    return independent_rate(throws == 1.0 ? 1.0 : 0.0, throws == 2.0 ? 1.0 : 0.0, more, k, L);
  }
  const double log_miss = std::log1p(-1.0 / cells);
  const double one = throws / cells * std::exp((throws - 1.0) * log_miss);
  const double two =
      0.5 * (throws / cells) * ((throws - 1.0) / cells) * std::exp((throws - 2.0) * log_miss);
  return independent_rate(one, two, more, k, L);
}

double variable_increment_poisson_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned L) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  require_increments(L);
  const double load = static_cast<double>(n) * k / static_cast<double>(m);
  const double none = std::exp(-load);
  return independent_rate(load * none, 0.5 * load * load * none,
                          statistics::poisson_upper_tail(load, 3.0), k, L);
}

}  // namespace bloometry::theory
