#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/contract/filter.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/store_access.hpp"
#include "core/hash/mix.hpp"
#include "core/store/memory.hpp"
#include "core/store/prefetch.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/scalable/block_rate_sum.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// A stage that is a blocked filter. Each key accesses one cache line (Putze, Sanders, Singler
/// 2007). The rate of the stage given its state is the mean over blocks of (x_b/B)^k_i. With stage
/// change by fill, the stage is full if k_i new bits of one key could raise this rate above P_i. A
/// bound on the number of set bits would not bound it well, because (x/B)^k is convex. A stage in a
/// mapped file accepts no keys and does not store the sum that gives the rate; num_ones() counts
/// its set bits on each call.
template <class Memory = OwnedMemory>
class BlockedStage {
 public:
  using Filter = BasicBlockedFilter<BitFieldProbes, Memory>;
  static constexpr bool kIsBlocked = true;
  static constexpr unsigned kLeastHashes = 1;
  static constexpr unsigned kMostHashes = kMaxBlockHashes;

  BlockedStage(const StagePlan& /*plan*/, const ScalableStage& stage, std::uint64_t number,
               const Memory& memory = {})
      : filter_(Geometry{stage.num_bits(), 1, stage.num_hashes, kStageBlockBits}, memory),
        number_(number),
        rate_sum_(stage.num_blocks, kStageBlockBits, stage.num_hashes, stage.error_rate) {}

  [[nodiscard]] const Filter& filter() const noexcept { return filter_; }

  /// Returns the digest of a key in this stage.
  [[nodiscard]] Digest part(const Digest& digest) const noexcept { return remix(digest, number_); }

  [[nodiscard]] std::uint64_t num_ones() const noexcept {
    if constexpr (kIsWritable<Memory>) {
      return num_ones_;
    } else {
      return filter_.bits().count();
    }
  }

  [[nodiscard]] bool is_full_by_fill(const Digest& digest) const noexcept {
    return rate_sum_.is_near_bound() &&
           rate_sum_.could_pass_bound(filter_.num_ones_in_block(digest));
  }

  /// Inserts a key. Returns whether at least one bit changed.
  bool insert(const Digest& digest) noexcept {
    const OnesInBlock ones = filter_.insert_counted(digest);
    rate_sum_.change(ones.before, ones.after);
    num_ones_ += ones.after - ones.before;
    return ones.after != ones.before;
  }

  /// Sets bit i mod 64 of masks[i / 64] to whether the stage contains key i of the chunk.
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    BatchAccess::contains_masks(
        filter_, chunk, masks,
        [number = number_](const Digest& digest) noexcept { return remix(digest, number); });
  }

  /// Returns whether prefetching saves time. The minimum size for prefetching is a third of the
  /// minimum for a single filter, because the stages share the caches.
  [[nodiscard]] bool should_prefetch() const noexcept {
    return filter_.num_bits() / 8 >= kMinPrefetchBytes / 3;
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    BatchAccess::prefetch(filter_, digest, access);
  }

  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
    return filter_.bits().words();
  }

  /// Returns the words of the cells, so that the caller can write the cells of another filter.
  /// After writing the words, the caller must call recount().
  [[nodiscard]] std::span<std::uint64_t> words() noexcept {
    return StoreAccess::cells(filter_).words();
  }

  void recount() noexcept {
    rate_sum_.clear();
    num_ones_ = 0;
    constexpr std::uint64_t kBlockWords = kStageBlockBits / 64;
    const std::span<const std::uint64_t> words = filter_.bits().words();
    for (std::uint64_t i = 0; i < words.size(); i += kBlockWords) {
      unsigned ones = 0;
      for (const std::uint64_t word : words.subspan(i, kBlockWords)) {
        ones += static_cast<unsigned>(std::popcount(word));
      }
      rate_sum_.change(0, ones);
      num_ones_ += ones;
    }
  }

  void clear() noexcept {
    filter_.clear();
    rate_sum_.clear();
    num_ones_ = 0;
  }

  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones_in_blocks(Filter::kModel, num_ones(), filter_.geometry());
  }

 private:
  /// Replaces BlockRateSum, which needs 4 KiB per stage, in a stage that does not accept keys.
  struct NoRateSum {
    NoRateSum(std::uint64_t /*num_blocks*/, unsigned /*block_bits*/, unsigned /*num_hashes*/,
              double /*max_rate*/) noexcept {}
  };

  using RateSum = std::conditional_t<kIsWritable<Memory>, BlockRateSum, NoRateSum>;

  Filter filter_;
  std::uint64_t number_;
  [[no_unique_address]] RateSum rate_sum_;
  std::uint64_t num_ones_ = 0;
};

}  // namespace bloometry
