#include "tests/support/reference/classic_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/probe/limits.hpp"
#include "core/require_domain.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {
namespace {

void require_rate(double p) {
  require_domain(p > 0.0 && p < 1.0, "p", "in (0, 1)", p);
}

void require_keys(std::uint64_t n) {
  require_domain(n > 0, "n", "at least 1", n);
}

/// Returns the bits per key at which k hashes reach the classic rate p: -k/ln(1-p^(1/k)).
double bits_per_key(double p, unsigned k) {
  return -(k / std::log1p(-std::pow(p, 1.0 / k)));
}

/// Returns the least number of cells for k probes of the model.
std::uint64_t fewest_bits(ProbeModel model, unsigned k) {
  return model == ProbeModel::kWithReplacement ? 1 : k;
}

std::uint64_t whole_bits(double bits) {
  require_domain(bits < 0x1p63, "number of bits", "below 2^63", bits);
  return static_cast<std::uint64_t>(std::ceil(bits));
}

}  // namespace

double continuous_num_bits(std::uint64_t n, double p) {
  require_keys(n);
  require_rate(p);
  return -static_cast<double>(n) * std::log(p) / (std::numbers::ln2 * std::numbers::ln2);
}

double continuous_num_hashes(std::uint64_t n, std::uint64_t m) {
  require_keys(n);
  require_geometry(ProbeModel::kWithReplacement, m, 1);
  return static_cast<double>(m) / static_cast<double>(n) * std::numbers::ln2;
}

double classic_fill_for_rate(double p, unsigned k) {
  require_rate(p);
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  return std::pow(p, 1.0 / k);
}

std::uint64_t classic_num_bits(std::uint64_t n, double p, unsigned k) {
  require_keys(n);
  require_rate(p);
  require_geometry(ProbeModel::kWithReplacement, 1, k);
  return std::max<std::uint64_t>(1, whole_bits(static_cast<double>(n) * bits_per_key(p, k)));
}

unsigned best_num_hashes_for_rate(double p) {
  require_rate(p);
  unsigned best = 1;
  for (unsigned k = 2; k <= kMaxNumHashes; ++k) {
    if (bits_per_key(p, k) < bits_per_key(p, best)) best = k;
  }
  return best;
}

unsigned best_num_hashes(std::uint64_t n, std::uint64_t m) {
  const double real = continuous_num_hashes(n, m);
  const auto low = static_cast<unsigned>(std::clamp(std::floor(real), 1.0, double{kMaxNumHashes}));
  const unsigned high = std::min(low + 1, kMaxNumHashes);
  return classic_rate(n, m, high) < classic_rate(n, m, low) ? high : low;
}

double classic_capacity(std::uint64_t m, double p, unsigned k) {
  require_rate(p);
  require_geometry(ProbeModel::kWithReplacement, m, k);
  return static_cast<double>(m) / bits_per_key(p, k);
}

std::uint64_t guaranteed_num_bits(ProbeModel model, std::uint64_t n, double p, unsigned k) {
  const std::uint64_t floor_bits = fewest_bits(model, k);
  const std::uint64_t start = std::max(classic_num_bits(n, p, k), floor_bits);
  const auto holds = [&](std::uint64_t m) { return exact_rate(model, n, m, k) <= p; };
  // Finds a bracket, then bisects. At `high` the rate is <= p. At `low` the rate is above p, or
  // `low` is one less than the least allowed m.
  std::uint64_t low = start;
  std::uint64_t high = start;
  for (std::uint64_t step = 1; low >= floor_bits && holds(low); step *= 2) {
    high = low;
    low = low > floor_bits - 1 + step ? low - step : floor_bits - 1;
  }
  for (std::uint64_t step = 1; high == low || !holds(high); step *= 2) {
    if (high != low) low = high;
    high += step;
    require_domain(high < std::uint64_t{1} << 63, "number of bits", "below 2^63", high);
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

GuaranteedSize guaranteed_size(ProbeModel model, std::uint64_t n, double p) {
  const unsigned first = best_num_hashes_for_rate(p);
  GuaranteedSize best{guaranteed_num_bits(model, n, p, first), first};
  for (unsigned k = kMaxNumHashes; k >= 1; --k) {
    // A result is better if its size is smaller, or if its size is equal and its k is smaller.
    const std::uint64_t enough = k < best.num_hashes ? best.num_bits : best.num_bits - 1;
    if (k == first || enough < fewest_bits(model, k) || exact_rate(model, n, enough, k) > p) {
      continue;
    }
    best = {guaranteed_num_bits(model, n, p, k), k};
  }
  return best;
}

unsigned blocked_best_num_hashes(double bits_per_key, std::uint64_t block_bits, InBlock in_block) {
  const auto rate = [&](unsigned k) {
    return blocked_poisson_rate(bits_per_key, block_bits, k, in_block);
  };
  const std::uint64_t most = in_block == InBlock::kDistinct
                                 ? std::min<std::uint64_t>(kMaxNumHashes, block_bits)
                                 : kMaxNumHashes;
  unsigned best = 1;
  double least = rate(1);
  for (unsigned k = 2; k <= most; ++k) {
    const double next = rate(k);
    if (next >= least) break;  // the rate has a single minimum over k
    best = k;
    least = next;
  }
  return best;
}

double information_bound_bits_per_key(double p) {
  require_rate(p);
  return -std::log2(p);
}

}  // namespace bloometry::theory
