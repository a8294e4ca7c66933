#include "core/theory/increment_tails.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/rates/binomial_mixture.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

constexpr std::uint64_t kMaxSum = 1 << 20;

/// P(t uniform increments sum to at_least or more), for t = 0, 1, ... until it is 1.
std::vector<double> sum_tails(const IncrementSet& set, std::uint64_t at_least) {
  if (at_least > kMaxSum) throw std::domain_error("at_least must be at most 2^20");
  const double share = 1.0 / static_cast<double>(set.size());
  std::vector<double> below(at_least, 0.0);  // [sum] while it is below at_least
  if (at_least > 0) below[0] = 1.0;
  std::vector<double> tails{at_least > 0 ? 0.0 : 1.0};
  for (std::uint64_t least = 0; least < at_least; least += set.smallest()) {
    std::vector<double> next(at_least, 0.0);
    double tail = tails.back();
    for (std::uint64_t sum = least; sum < at_least; ++sum) {
      for (const unsigned v : set.increments()) {
        (sum + v < at_least ? next[sum + v] : tail) += below[sum] * share;
      }
    }
    below = std::move(next);
    tails.push_back(std::min(1.0, tail));
  }
  tails.back() = 1.0;
  return tails;
}

auto rising(const std::vector<double>& tails) {
  return [&tails](std::uint64_t t) { return t < tails.size() ? tails[t] : 1.0; };
}

}  // namespace

double increment_tail_poisson(double load, const IncrementSet& set, std::uint64_t at_least) {
  if (!(load >= 0.0 && std::isfinite(load))) {
    throw std::domain_error("load must be finite and at least 0");
  }
  const auto tails = sum_tails(set, at_least);
  return poisson_mean_of(load, rising(tails));
}

double increment_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set, std::uint64_t at_least) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const auto tails = sum_tails(set, at_least);
  return cell_mean_of(static_cast<double>(n) * k, static_cast<double>(m), rising(tails));
}

}  // namespace bloometry::theory
