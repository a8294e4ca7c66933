#include "core/theory/pass_variance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rates/binomial_mixture.hpp"
#include "core/require_domain.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/independent_rates.hpp"
#include "core/theory/occupancy_chain.hpp"

namespace bloometry::theory {
namespace {

// Error of the difference of two moments, each of which is accurate to a few 1e-16.
constexpr double kPassMomentError = 4e-15;
constexpr double kWorstError = 0.01;
constexpr double kMostOperations = 2e8;

PassTable first_rows(const PassTable& table, unsigned num_rows) {
  std::vector<std::vector<double>> rows(num_rows);
  for (unsigned b = 1; b <= num_rows; ++b) {
    for (std::size_t t = 0; t < table.num_undecided(); ++t) {
      rows[b - 1].push_back(table.pass(b, t));
    }
  }
  return PassTable(std::move(rows));
}

/// Var(F)/E[F]^2 to first order, and a bound of its relative error. The error consists of rounding,
/// omitted terms in k^2/m, and the discreteness of the passing pairs if their number is small.
struct FirstOrder {
  double value = 0.0;
  double error = HUGE_VAL;
};

FirstOrder first_order(const PassTable& table, double load, double m, unsigned k) {
  const double one = probe_pass_probability(table, load);
  const double two = poisson_mean_of(load, [&](std::uint64_t t) { return table.pass(2, t); });
  const double slope = probe_pass_slope(table, load);
  const double variance = two - one * one - load * slope * slope;
  if (!(variance > 0.0)) return {};
  const double hashes = k;
  const double error =
      std::max({kPassMomentError * two / variance, hashes * hashes / m, hashes / (m * one)});
  return {variance * hashes * hashes / (m * one * one), error};
}

/// Returns an upper bound of the number of multiplications in the chain over 2k probes.
double operations(double load, double m, unsigned k) {
  const double probes = 2.0 * k;
  const auto length = 1.5 * static_cast<double>(mixture_length(std::min(probes, m) * load));
  return probes * probes * length * length / 2.0;
}

}  // namespace

std::optional<double> pass_rate_variance(const PassTable& table, std::uint64_t n, std::uint64_t m,
                                         unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  require_same_number("number of rows of the pass table", table.num_hashes(), "2k", 2 * k);
  if (n == 0) return 0.0;
  const double cells = static_cast<double>(m);
  const double throws = static_cast<double>(n) * k;
  const double load = throws / cells;
  const FirstOrder first = first_order(table, load, cells, k);
  const double rate = occupancy_chain_rate(n, m, first_rows(table, k));
  if (first.error > kPassMomentError / first.value &&
      operations(load, cells, k) <= kMostOperations) {
    const double second = occupancy_chain_moment(throws, m, table);
    const double variance = second - rate * rate;
    if (variance > kPassMomentError / kWorstError * second) return variance;
  }
  if (first.error > kWorstError) return std::nullopt;
  return rate * rate * first.value;
}

}  // namespace bloometry::theory
