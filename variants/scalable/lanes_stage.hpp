#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/contract/filter.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/store_access.hpp"
#include "core/isa/isa.hpp"
#include "core/lane_stage/lane_stage.hpp"
#include "core/rates/cardinality.hpp"
#include "core/store/memory.hpp"
#include "core/store/prefetch.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/scalable/lane_rate_sum.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// A stage that is a lanes filter. A key sets one bit in each of the 8 words of a cache line. One
/// kernel queries all stages (core/lane_stage/lane_stage.hpp). The rate of the stage given its
/// state is the mean over blocks of prod x_i/64. With stage change by fill, the stage is full if 8
/// new bits of one key could raise this rate above P_i. A stage in a mapped file accepts no keys
/// and does not store the sum that gives the rate; num_ones() counts its set bits on each call.
template <class Memory = OwnedMemory>
class LanesStage {
 public:
  using Filter = BasicLanesFilter<LaneFieldProbes, Memory>;
  static constexpr bool kIsBlocked = true;
  static constexpr unsigned kLeastHashes = LaneFieldProbes::kNumLanes;
  static constexpr unsigned kMostHashes = LaneFieldProbes::kNumLanes;
  static constexpr std::size_t kStagesAtOnce = 32;

  LanesStage(const StagePlan& /*plan*/, const ScalableStage& stage, std::uint64_t number,
             const Memory& memory = {})
      : filter_(Geometry{stage.num_bits(), 1, stage.num_hashes, kStageBlockBits}, memory),
        factors_(stage_factors(number)),
        kernels_(lane_stage_kernels(active_isa(), stage.num_blocks)),
        rate_sum_(stage.num_blocks, stage.error_rate) {}

  [[nodiscard]] const Filter& filter() const noexcept { return filter_; }

  [[nodiscard]] Digest part(const Digest& digest) const noexcept {
    return stage_digest(digest, factors_);
  }

  [[nodiscard]] std::uint64_t num_ones() const noexcept {
    if constexpr (kIsWritable<Memory>) {
      return num_ones_;
    } else {
      return filter_.bits().count();
    }
  }

  [[nodiscard]] bool is_full_by_fill(const Digest& in_stage) const noexcept {
    if (!rate_sum_.is_near_bound()) return false;
    const std::span<const std::uint64_t> block = filter_.words_of_block(in_stage);
    return rate_sum_.could_pass_bound(product<0>(block), product<1>(block));
  }

  /// Inserts a key. Returns whether at least one bit changed.
  bool insert(const Digest& in_stage) noexcept {
    const LaneInsert change = kernels_.insert(words().data(), filter_.num_blocks(), in_stage);
    rate_sum_.change(change.before, change.after);
    num_ones_ += change.num_new;
    return change.num_new > 0;
  }

  /// Sets bit i mod 64 of masks[i / 64] for every key i of the chunk that one of the stages
  /// contains. The function queries the last stage first. The argument `stage` is a function that
  /// returns stage i.
  template <class StageOf>
  static void add_positives(std::size_t num_stages, StageOf stage, std::span<const Digest> chunk,
                            std::uint64_t* masks) noexcept {
    std::array<LaneStage, kStagesAtOnce> some;
    while (num_stages > 0) {
      const std::size_t num = std::min(num_stages, kStagesAtOnce);
      std::uint64_t most_blocks = 0;
      for (std::size_t i = 0; i < num; ++i) {
        some[i] = stage(num_stages - 1 - i).view();
        most_blocks = std::max(most_blocks, some[i].num_blocks);
      }
      lane_stage_kernels(active_isa(), most_blocks)
          .contains(some.data(), num, chunk.data(), chunk.size(), masks);
      num_stages -= num;
    }
  }

  /// Returns whether prefetching saves time. The minimum size for prefetching is a twelfth of the
  /// minimum for a single filter, because all stages share the caches.
  [[nodiscard]] bool should_prefetch() const noexcept {
    return filter_.num_bits() / 8 >= kMinPrefetchBytes / 12;
  }

  void prefetch(const Digest& in_stage, Access access) const noexcept {
    BatchAccess::prefetch(filter_, in_stage, access);
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
    num_ones_ = filter_.bits().count();
    const std::span<const std::uint64_t> words = filter_.bits().words();
    for (std::size_t i = 0; i < words.size(); i += kBlockWords) {
      rate_sum_.change(0, product<0>(words.subspan(i, kBlockWords)));
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
  static constexpr std::size_t kBlockWords = kStageBlockBits / 64;

  struct NoRateSum {
    NoRateSum(std::uint64_t /*num_blocks*/, double /*max_rate*/) noexcept {}
  };

  using RateSum = std::conditional_t<kIsWritable<Memory>, LaneRateSum, NoRateSum>;

  /// Returns the product of (number of set bits + kMore) over the words of a block. Each factor of
  /// the product is at most 64.
  template <unsigned kMore>
  static std::uint64_t product(std::span<const std::uint64_t> block) noexcept {
    std::uint64_t result = 1;
    for (const std::uint64_t word : block) {
      result *= std::min(static_cast<unsigned>(std::popcount(word)) + kMore, 64U);
    }
    return result;
  }

  [[nodiscard]] LaneStage view() const noexcept {
    return {words().data(), filter_.num_blocks(), factors_, should_prefetch()};
  }

  Filter filter_;
  StageFactors factors_;
  LaneStageKernels kernels_;
  [[no_unique_address]] RateSum rate_sum_;
  std::uint64_t num_ones_ = 0;
};

}  // namespace bloometry
