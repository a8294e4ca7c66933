#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/hash/mix.hpp"
#include "experiments/workload/sequential_keys.hpp"

namespace bloometry {

/// Keys "random": a seeded bijection of the item number, 8 bytes little-endian. They look uniform,
/// yet no two items share a key, so members and queries stay disjoint without a check.
///
/// The bijection is two rounds of add and mix64. One seed serves all trials of a run: trials differ
/// in their items, so their keys differ too.
class RandomKeys {
 public:
  static constexpr std::size_t kMaxBytes = SequentialKeys::kMaxBytes;

  explicit constexpr RandomKeys(std::uint64_t seed) noexcept : seed_(seed) {}

  [[nodiscard]] constexpr std::uint64_t value(std::uint64_t item) const noexcept {
    return mix64(mix64(item + seed_) + kRootTwoGamma);
  }

  std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) const noexcept {
    return SequentialKeys::write(value(item), out);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace bloometry
