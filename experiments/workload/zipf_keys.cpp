#include "experiments/workload/zipf_keys.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry {
namespace {

using Cumulative = std::shared_ptr<const std::vector<std::uint64_t>>;

/// Returns the cumulative sums of llround(2^32 r^-s). Because the weights are integers, the same
/// draws select the same keys on every machine. The smallest weight for s = 1.2 is 271, so rounding
/// changes a weight by at most 0.2 %.
Cumulative cumulative_weights(double exponent) {
  auto sums = std::make_shared<std::vector<std::uint64_t>>();
  sums->reserve(ZipfKeys::kNumRanks);
  std::uint64_t sum = 0;
  for (std::uint64_t rank = 1; rank <= ZipfKeys::kNumRanks; ++rank) {
    const double weight = 0x1p32 * std::pow(static_cast<double>(rank), -exponent);
    sum += static_cast<std::uint64_t>(std::llround(weight));
    sums->push_back(sum);
  }
  return sums;
}

/// Returns the cumulative weights of an exponent. The weights need 8 MB per exponent and are
/// computed once.
Cumulative shared_weights(double exponent) {
  static std::mutex mutex;
  static std::map<double, Cumulative> known;
  const std::lock_guard lock(mutex);
  Cumulative& weights = known[exponent];
  if (!weights) weights = cumulative_weights(exponent);
  return weights;
}

}  // namespace

ZipfKeys::ZipfKeys(double exponent, std::uint64_t key_seed, std::uint64_t draw_seed)
    : keys_(key_seed), draw_seed_(draw_seed), cumulative_(shared_weights(exponent)) {}

std::uint64_t ZipfKeys::query_index(std::uint64_t number) const noexcept {
  const std::uint64_t word = mix64(mix64(number + draw_seed_) + kGoldenGamma);
  const std::uint64_t draw = fastrange(word, cumulative_->back());
  const auto above = std::upper_bound(cumulative_->begin(), cumulative_->end(), draw);
  return static_cast<std::uint64_t>(above - cumulative_->begin());
}

}  // namespace bloometry
