#include "core/theory/independent_rates.hpp"

#include <cmath>

#include "core/rates/binomial_mixture.hpp"
#include "core/require_domain.hpp"
#include "core/theory/counter_tails.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

auto one_probe(const PassTable& table) {
  return [&table](std::uint64_t throws) { return table.pass(1, throws); };
}

}  // namespace

double probe_pass_probability(const PassTable& table, double load) {
  require_load(load);
  return poisson_mean_of(load, one_probe(table));
}

double probe_pass_slope(const PassTable& table, double load) {
  require_load(load);
  double slope = 0.0;
  for (std::size_t t = 0; t < table.num_undecided(); ++t) {
    slope += counter_count_poisson(load, t) * (table.pass(1, t + 1) - table.pass(1, t));
  }
  return slope;
}

double poisson_rate(const PassTable& table, double cells_per_key, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  require_domain(cells_per_key > 0.0, "cells_per_key", "above 0", cells_per_key);
  return std::pow(probe_pass_probability(table, k / cells_per_key), k);
}

double independent_rate(const PassTable& table, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const double throws = static_cast<double>(n) * k;
  return std::pow(cell_mean_of(throws, static_cast<double>(m), one_probe(table)), k);
}

}  // namespace bloometry::theory
