#include "core/theory/counter_churn.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/require_domain.hpp"
#include "core/theory/counter_tails.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

constexpr std::uint64_t kMaxStates = 255;

void require_counter(std::uint64_t m, unsigned k, std::uint64_t max_value) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  require_domain(max_value > 0, "max_value", "at least 1", max_value);
}

/// Returns the transition matrix of a counter for one round of churn, from row to column. The last
/// state is a stuck counter.
Eigen::MatrixXd round_of(double n, double hit, Eigen::Index max_value) {
  Eigen::MatrixXd erase = Eigen::MatrixXd::Zero(max_value + 1, max_value + 1);
  Eigen::MatrixXd insert = erase;
  for (Eigen::Index v = 0; v < max_value; ++v) {
    const double chosen = std::min(1.0, static_cast<double>(v) / n);
    erase(v, v) = 1.0 - chosen;
    if (v > 0) erase(v, v - 1) = chosen;
    insert(v, v) = 1.0 - hit;
    insert(v, v + 1) = hit;
  }
  erase(max_value, max_value) = insert(max_value, max_value) = 1.0;
  return erase * insert;
}

}  // namespace

double saturations_per_insert_poisson(double load, unsigned k, std::uint64_t max_value) {
  require_counter(1, k, max_value);
  return k * counter_count_poisson(load, max_value - 1);
}

double saturations_per_insert(std::uint64_t n, std::uint64_t m, unsigned k,
                              std::uint64_t max_value) {
  require_counter(m, k, max_value);
  return static_cast<double>(m) * counter_hit_probability(m, k) *
         counter_count_per_position(n, m, k, max_value - 1);
}

double expected_stuck_counters(std::uint64_t n, std::uint64_t m, unsigned k,
                               std::uint64_t max_value, std::uint64_t num_rounds) {
  require_counter(m, k, max_value);
  require_domain(max_value <= kMaxStates, "max_value", "in [1, 255]", max_value);
  if (n == 0) return 0.0;
  const auto top = static_cast<Eigen::Index>(max_value);
  Eigen::RowVectorXd state(top + 1);
  for (Eigen::Index v = 0; v < top; ++v) {
    state(v) = counter_count_per_position(n, m, k, static_cast<std::uint64_t>(v));
  }
  state(top) = counter_tail_per_position(n, m, k, max_value);
  Eigen::MatrixXd step = round_of(static_cast<double>(n), counter_hit_probability(m, k), top);
  for (std::uint64_t left = num_rounds; left > 0; left >>= 1) {
    if (left & 1) state = (state * step).eval();
    step = (step * step).eval();
  }
  return static_cast<double>(m) * state(top);
}

double share_of_ones(double load) {
  require_load(load);
  return load == 0.0 ? 1.0 : load / std::expm1(load);
}

double members_lost_per_wrongful_erase(double load, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  return k * share_of_ones(load);
}

double members_lost_per_wrongful_erase(std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  if (n == 0) return 0.0;
  const double positions = static_cast<double>(m) * counter_hit_probability(m, k);
  return positions * counter_count_per_position(n, m, k, 1) / counter_tail_per_position(n, m, k, 1);
}

}  // namespace bloometry::theory
