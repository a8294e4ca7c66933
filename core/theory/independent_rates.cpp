#include "core/theory/independent_rates.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/binomial_mixture.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

auto one_probe(const PassTable& table) {
  return [&table](std::uint64_t throws) { return table.pass(1, throws); };
}

}  // namespace

double probe_pass_probability(const PassTable& table, double load) {
  if (!(load >= 0.0 && std::isfinite(load))) {
    throw std::domain_error("load must be finite and at least 0");
  }
  return poisson_mean_of(load, one_probe(table));
}

double poisson_rate(const PassTable& table, double cells_per_key, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  if (!(cells_per_key > 0.0)) throw std::domain_error("cells per key must be above 0");
  return std::pow(probe_pass_probability(table, k / cells_per_key), k);
}

double independent_rate(const PassTable& table, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const double throws = static_cast<double>(n) * k;
  return std::pow(cell_mean_of(throws, static_cast<double>(m), one_probe(table)), k);
}

}  // namespace bloometry::theory
