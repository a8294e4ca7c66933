#pragma once

#include <cstdint>
#include <span>

#include "core/contract/filter.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/store_access.hpp"
#include "core/hash/mix.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/rates/cardinality.hpp"
#include "core/store/memory.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// A stage that is a partitioned filter with equal slices, as in the paper. With stage change by
/// fill, the stage is full if one more key could raise its fill ratio above max_slice_fill. It
/// checks this before it inserts a key. The product of the fill ratios of the slices is therefore
/// at most max_slice_fill^k_i, which is at most P_i (mean inequality). This bound holds for every
/// filter, not only on average. A stage in a mapped file accepts no keys, and num_ones() counts its
/// set bits on each call.
template <WordProbePolicy Probes, class Memory = OwnedMemory>
class PartitionedStage {
 public:
  using Filter = BasicPartitionedFilter<Probes, Memory>;
  static constexpr bool kIsBlocked = false;
  static constexpr unsigned kLeastHashes = 1;
  static constexpr unsigned kMostHashes = kMaxStoredHashes;  // new stages: kMaxNumHashes

  PartitionedStage(const StagePlan& plan, const ScalableStage& stage, std::uint64_t number,
                   const Memory& memory = {})
      : filter_(Geometry{stage.num_bits(), 1, stage.num_hashes}, memory),
        number_(number),
        max_ones_(static_cast<std::uint64_t>(max_slice_fill(plan, stage) *
                                             static_cast<double>(stage.num_bits()))) {}

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

  [[nodiscard]] bool is_full_by_fill(const Digest& /*digest*/) const noexcept {
    return num_ones_ + filter_.num_hashes() > max_ones_;
  }

  /// Inserts a key. Returns whether at least one bit changed.
  bool insert(const Digest& digest) noexcept {
    const unsigned num_changed = filter_.set_bits(digest);
    num_ones_ += num_changed;
    return num_changed > 0;
  }

  /// Sets bit i mod 64 of masks[i / 64] to whether the stage contains key i of the chunk.
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    BatchAccess::contains_masks(
        filter_, chunk, masks,
        [number = number_](const Digest& digest) noexcept { return remix(digest, number); });
  }

  [[nodiscard]] bool should_prefetch() const noexcept {
    return BatchAccess::should_prefetch(filter_);
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kUpdate) return BatchAccess::prefetch_all(filter_, digest);
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

  void recount() noexcept { num_ones_ = filter_.bits().count(); }

  void clear() noexcept {
    filter_.clear();
    num_ones_ = 0;
  }

  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones(Filter::kModel, num_ones(), filter_.num_bits(), filter_.num_hashes());
  }

 private:
  Filter filter_;
  std::uint64_t number_;
  std::uint64_t max_ones_;  // stage change by fill: largest number of set bits with the guarantee
  std::uint64_t num_ones_ = 0;
};

}  // namespace bloometry
