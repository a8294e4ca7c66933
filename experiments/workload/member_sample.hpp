#pragma once

#include <algorithm>
#include <cstdint>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// A sample of the members. A trial queries the sample to find false negatives. If there are at
/// most 10^4 members, the sample contains all members. If there are more than 10^4 members, they
/// are divided, in order, into 10^4 equal parts. The seed selects one member of each part. The
/// indices of sampled members are distinct and increasing, and depend only on (root seed, keys,
/// trial, number of members).
class MemberSample {
 public:
  static constexpr std::uint64_t kMaxSize = 10'000;

  MemberSample(const Unit& unit, std::uint64_t num_members)
      : seed_(SeedSequence(unit.root_seed).seed("keys", unit.keys.name, unit.trial)),
        num_members_(num_members),
        size_(std::min(num_members, kMaxSize)) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Returns the index of the i-th sampled member.
  [[nodiscard]] std::uint64_t index(std::uint64_t i) const noexcept {
    const std::uint64_t begin = boundary(i);
    return begin + fastrange(mix64(seed_ + (i + 1) * kGoldenGamma), boundary(i + 1) - begin);
  }

 private:
  /// Returns floor(i * num_members / size) without overflow.
  [[nodiscard]] std::uint64_t boundary(std::uint64_t i) const noexcept {
    return i * (num_members_ / size_) + i * (num_members_ % size_) / size_;
  }

  std::uint64_t seed_;
  std::uint64_t num_members_;
  std::uint64_t size_;
};

}  // namespace bloometry
