#include "experiments/workload/zipf_keys.hpp"

#include "core/hash/mix.hpp"

namespace bloometry {

ZipfKeys::ZipfKeys(double exponent, std::uint64_t key_seed, std::uint64_t draw_seed)
    : keys_(key_seed), draw_seed_(draw_seed), ranks_(exponent, kNumRanks) {}

std::uint64_t ZipfKeys::query_index(std::uint64_t number) const noexcept {
  return ranks_.rank(mix64(mix64(number + draw_seed_) + kGoldenGamma));
}

}  // namespace bloometry
