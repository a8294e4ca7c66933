#include "tests/support/reference/increment_set.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/rates/binomial_mixture.hpp"
#include "core/require_domain.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/independent_rates.hpp"
#include "core/theory/occupancy_chain.hpp"

namespace bloometry::test {

using namespace theory;

namespace {

constexpr unsigned kMaxIncrement = 4096;
constexpr std::size_t kMaxUndecided = 256;
constexpr std::size_t kMaxLawEntries = std::size_t{1} << 22;
constexpr double kMaxListedSums = 1e7;

std::vector<unsigned> checked(std::vector<unsigned> increments) {
  require_domain(!increments.empty(), "number of increments", "at least 1", increments.size());
  std::sort(increments.begin(), increments.end());
  for (const unsigned v : increments) {
    require_domain(v >= 1 && v <= kMaxIncrement, "increment", "in [1, 4096]", v);
  }
  const auto twice = std::adjacent_find(increments.begin(), increments.end());
  if (twice != increments.end()) {
    throw std::domain_error("increments must be distinct, got " + std::to_string(*twice) +
                            " twice");
  }
  return increments;
}

/// Returns which numbers are sums of elements, including the empty sum 0. The last entry is the
/// largest multiple of the elements' gcd that is not a sum. The search ends when smallest / gcd
/// consecutive multiples of the gcd are sums.
std::vector<bool> sums_with_gaps(const std::vector<unsigned>& increments) {
  const unsigned unit = std::accumulate(increments.begin(), increments.end(), 0U,
                                        [](unsigned a, unsigned b) { return std::gcd(a, b); });
  std::vector<bool> is_sum{true};
  std::size_t length = 0;  // last gap + 1
  for (std::size_t c = 1; c < length + increments.front() + unit; ++c) {
    const bool sum = std::any_of(increments.begin(), increments.end(),
                                 [&](unsigned v) { return v <= c && is_sum[c - v]; });
    is_sum.push_back(sum);
    if (!sum && c % unit == 0) length = c + 1;
  }
  is_sum.resize(length);
  return is_sum;
}

/// Returns the law of c + v, where c has the given law and v is uniform on the set. The index of an
/// entry is the value of c + v.
std::vector<double> add_one_more(const std::vector<double>& law, const IncrementSet& set) {
  std::vector<double> next(law.size() + set.largest(), 0.0);
  const double share = 1.0 / static_cast<double>(set.size());
  for (std::size_t c = 0; c < law.size(); ++c) {
    for (const unsigned v : set.increments()) next[c + v] += law[c] * share;
  }
  return next;
}

/// Returns E[s^b], where s is the share of the increments in D that pass on a counter with the
/// given law.
double mean_power_of_share(const std::vector<double>& law, const IncrementSet& set, unsigned b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < law.size(); ++c) {
    if (law[c] == 0.0) continue;
    const double share = static_cast<double>(set.num_passing(c)) / static_cast<double>(set.size());
    sum += law[c] * std::pow(share, b);
  }
  return std::min(1.0, sum);
}

/// Returns whether a probe can fail on a counter with the given law. An increment that passes on a
/// counter still passes after another insert. If the result is false for t increments, it is
/// therefore false for more increments.
bool may_fail(const std::vector<double>& law, const IncrementSet& set) {
  for (std::size_t c = 0; c < law.size(); ++c) {
    if (law[c] > 0.0 && set.num_passing(c) < set.size()) return true;
  }
  return false;
}

/// Returns P(t uniform draws from ell values give d distinct values) for d = 0..t, computed from
/// the law for t - 1 draws.
std::vector<double> distinct_after_one_more(const std::vector<double>& law, double ell) {
  std::vector<double> next(law.size() + 1, 0.0);
  for (std::size_t d = 0; d < law.size(); ++d) {
    const double seen = static_cast<double>(d) / ell;
    next[d] += law[d] * seen;
    next[d + 1] += law[d] * std::max(0.0, 1.0 - seen);
  }
  return next;
}

/// Appends the sum of every multiset of `left` elements at positions >= first, plus `sum`.
void list_sums(std::span<const unsigned> elements, std::size_t first, unsigned left,
               std::uint64_t sum, std::vector<std::uint64_t>& sums) {
  if (left == 0) {
    sums.push_back(sum);
    return;
  }
  for (std::size_t i = first; i < elements.size(); ++i) {
    list_sums(elements, i, left - 1, sum + elements[i], sums);
  }
}

constexpr std::uint64_t kMaxSum = 1 << 20;

/// Returns P(sum of t uniform increments >= at_least) for t = 0, 1, ... up to the first t with
/// probability 1.
std::vector<double> sum_tails(const IncrementSet& set, std::uint64_t at_least) {
  require_domain(at_least <= kMaxSum, "at_least", "at most 2^20", at_least);
  const double share = 1.0 / static_cast<double>(set.size());
  std::vector<double> below(at_least, 0.0);  // below[sum] for sums below at_least
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

IncrementSet::IncrementSet(std::vector<unsigned> increments)
    : increments_(checked(std::move(increments))), is_sum_(sums_with_gaps(increments_)) {}

IncrementSet IncrementSet::consecutive(unsigned L) {
  std::vector<unsigned> increments(L);
  std::iota(increments.begin(), increments.end(), L);
  return IncrementSet(std::move(increments));
}

bool IncrementSet::passes(std::uint64_t counter, unsigned increment) const {
  if (counter < increment) return false;
  const std::uint64_t rest = counter - increment;
  return rest >= is_sum_.size() || is_sum_[rest];
}

std::size_t IncrementSet::num_passing(std::uint64_t counter) const {
  return static_cast<std::size_t>(std::count_if(increments_.begin(), increments_.end(),
                                                [&](unsigned v) { return passes(counter, v); }));
}

PassTable increment_set_pass_table(unsigned k, const IncrementSet& set) {
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  std::vector<std::vector<double>> rows(k);
  for (std::vector<double> law{1.0}; may_fail(law, set); law = add_one_more(law, set)) {
    if (rows[0].size() >= kMaxUndecided || law.size() * set.size() > kMaxLawEntries) {
      throw std::domain_error("increments must all pass at counters from " +
                              std::to_string(rows[0].size()) + " on, got one that may fail");
    }
    for (unsigned b = 1; b <= k; ++b) rows[b - 1].push_back(mean_power_of_share(law, set, b));
  }
  return PassTable(std::move(rows));
}

PassTable bh_pass_table(unsigned k, unsigned ell, unsigned h) {
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  require_domain(ell > 0, "ell", "at least 1", ell);
  require_domain(h >= 1 && h <= kMaxIncrement, "h", "in [1, 4096]", h);
  std::vector<std::vector<double>> rows(k);
  std::vector<double> law{1.0};
  for (unsigned t = 0; t <= h; ++t) {
    for (unsigned b = 1; b <= k; ++b) {
      double pass = 0.0;
      for (std::size_t d = 1; d < law.size(); ++d) {
        pass += law[d] * std::pow(static_cast<double>(d) / ell, b);
      }
      rows[b - 1].push_back(std::min(1.0, pass));
    }
    law = distinct_after_one_more(law, ell);
  }
  return PassTable(std::move(rows));
}

bool is_bh_sequence(const IncrementSet& set, unsigned h) {
  require_domain(h > 0, "h", "at least 1", h);
  double num_sums = 1.0;  // C(ell + h - 1, h)
  for (unsigned i = 1; i <= h && num_sums <= kMaxListedSums; ++i) {
    num_sums *= (static_cast<double>(set.size()) + i - 1.0) / i;
  }
  require_domain(num_sums <= kMaxListedSums, "number of sums of h increments", "at most 10^7",
                 num_sums);
  std::vector<std::uint64_t> sums;
  list_sums(set.increments(), 0, h, 0, sums);
  std::sort(sums.begin(), sums.end());
  return std::adjacent_find(sums.begin(), sums.end()) == sums.end();
}

double increment_set_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set) {
  return occupancy_chain_rate(n, m, increment_set_pass_table(k, set));
}

double bh_exact_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h) {
  return occupancy_chain_rate(n, m, bh_pass_table(k, ell, h));
}

double bh_paper_rate(std::uint64_t n, std::uint64_t m, unsigned k, unsigned ell, unsigned h) {
  return independent_rate(bh_pass_table(1, ell, h), n, m, k);
}

double increment_tail_poisson(double load, const IncrementSet& set, std::uint64_t at_least) {
  require_domain(load >= 0.0 && std::isfinite(load), "load", "finite and at least 0", load);
  const auto tails = sum_tails(set, at_least);
  return poisson_mean_of(load, rising(tails));
}

double increment_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set, std::uint64_t at_least) {
  require_geometry(ProbeModel::kWithReplacement, m, k);
  const auto tails = sum_tails(set, at_least);
  return cell_mean_of(static_cast<double>(n) * k, static_cast<double>(m), rising(tails));
}

}  // namespace bloometry::test
