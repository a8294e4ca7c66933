#pragma once

#include <cstddef>
#include <cstdint>

#include "core/integer_batch/integer_kernel_bodies.hpp"
#include "core/lane_stage/lane_stage.hpp"
#include "core/probe/lane_bits.hpp"

/// Templates that make kernels for stages from a body (core/kernels/kernel_table.hpp). Only sources
/// of core/kernels include this header, so the rules in kernel_table.hpp apply.
namespace bloometry::block {

/// Positions of the keys of a group in a stage. A position consists of the word lo of the stage's
/// digest and the byte offset of the block from the first block.
struct StageLocations {
  alignas(64) std::uint64_t los[kIntegerChunk];
  alignas(64) std::uint64_t offsets[kIntegerChunk];
};

inline constexpr unsigned kLog2BlockBytes = 6;

/// Insert into a block of a lanes filter in plain C++.
struct PlainLaneInsert {
  [[gnu::always_inline]] static inline LaneInsert insert(std::uint64_t* block,
                                                         std::uint64_t lo) noexcept {
    LaneInsert result{1, 1, 0};
    for (unsigned i = 0; i < kNumLanes; ++i) {
      const unsigned bit = lane_bit(lo, i);
      const auto num_set = static_cast<std::uint64_t>(__builtin_popcountll(block[i]));
      const std::uint64_t is_new = ~block[i] >> bit & 1U;
      block[i] |= std::uint64_t{1} << bit;
      result.before *= num_set;
      result.after *= num_set + is_new;
      result.num_new += static_cast<unsigned>(is_new);
    }
    return result;
  }
};

/// Class template whose static functions implement the function pointers of LaneStageKernels.
/// Deriver implements the operations of a stage for one instruction set. `static constexpr
/// std::size_t kWidth` is the number of keys that `locate` processes at once. `static void
/// locate(StageLocations&, std::size_t i, const std::uint64_t* los, const std::uint64_t* his, const
/// LaneStage&)` stores the locations of kWidth keys from key i on. `Insert` is a type with `static
/// LaneInsert insert(std::uint64_t* block, std::uint64_t lo)`.
///
/// The keys of a chunk are divided into four groups. While a group is queried in a stage, the cache
/// lines of the other three groups are being loaded. After the query, the cache lines of the
/// group's pending keys in the next stage are prefetched. A key is pending until a stage contains
/// the key.
template <class Deriver, class Body>
struct LaneStageKernelsOf {
  static constexpr std::size_t kNumGroups = 4;
  static constexpr std::size_t kMostKeys = LaneStageKernels::kMostKeys;
  /// Number of keys per group in a small chunk, such as a chunk that is queried before its insert.
  static constexpr std::size_t kSmallGroup = 16;
  static constexpr std::size_t kUnrolled = 4;
  static_assert(kNumGroups * kIntegerChunk == kMostKeys && kSmallGroup % Deriver::kWidth == 0);

  /// Digests of the keys, with the words lo and hi in separate arrays.
  struct Keys {
    alignas(64) std::uint64_t los[kMostKeys];
    alignas(64) std::uint64_t his[kMostKeys];
  };

  static void contains(const LaneStage* stages, std::size_t num_stages, const Digest* digests,
                       std::size_t num_keys, std::uint64_t* masks) noexcept {
    if (num_stages == 0 || num_keys == 0) return;
    const std::size_t size = num_keys > kNumGroups * kSmallGroup ? kIntegerChunk : kSmallGroup;
    const std::size_t num_groups = (num_keys + size - 1) / size;
    Keys keys;
    for (std::size_t i = 0; i < num_keys; ++i) {
      keys.los[i] = digests[i].lo;
      keys.his[i] = digests[i].hi;
    }
    for (std::size_t i = num_keys; i < num_groups * size; ++i) keys.los[i] = keys.his[i] = 0;

    StageLocations locations[kNumGroups];
    std::uint64_t pending[kNumGroups];
    for (std::size_t g = 0; g < num_groups; ++g) {
      const std::size_t left = num_keys - g * size;
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - (left < size ? left : size));
      pending[g] = all & ~(masks[g * size / 64] >> (g * size % 64));
      locate(stages[0], keys, g * size, size, pending[g], locations[g]);
    }
    for (std::size_t s = 0; s < num_stages; ++s) {
      for (std::size_t g = 0; g < num_groups; ++g) {
        if (pending[g] == 0) continue;
        const std::uint64_t found =
            pending[g] & positives(stages[s], locations[g], size, pending[g]);
        masks[g * size / 64] |= found << (g * size % 64);
        pending[g] ^= found;
        if (s + 1 < num_stages && pending[g] != 0) {
          locate(stages[s + 1], keys, g * size, size, pending[g], locations[g]);
        }
      }
    }
  }

  static LaneInsert insert(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept {
    return Deriver::Insert::insert(words + Body::block_of(digest, num_blocks) * kNumLanes,
                                   digest.lo);
  }

  static constexpr LaneStageKernels kKernels = {contains, insert};

 private:
  /// Returns whether a query of all keys of a group is faster than a query of only the pending
  /// keys.
  [[gnu::always_inline]] static inline bool is_dense(std::uint64_t pending,
                                                     std::size_t size) noexcept {
    return 2 * static_cast<std::size_t>(__builtin_popcountll(pending)) > size;
  }

  /// Computes the locations of a group's keys in the stage. Prefetches the cache lines of the
  /// pending keys if the stage prefetches.
  [[gnu::always_inline]] static inline void locate(const LaneStage& stage, const Keys& keys,
                                                   std::size_t first, std::size_t size,
                                                   std::uint64_t pending,
                                                   StageLocations& locations) noexcept {
    for (std::size_t i = 0; i < size; i += Deriver::kWidth) {
      Deriver::locate(locations, i, keys.los + first + i, keys.his + first + i, stage);
    }
    if (!stage.prefetches) return;
    if (is_dense(pending, size)) {
      for (std::size_t start = 0; start < size; start += kUnrolled) {
        for (std::size_t j = 0; j < kUnrolled; ++j) {
          __builtin_prefetch(block(stage, locations, start + j), 0);
        }
      }
    } else {
      for (std::uint64_t left = pending; left != 0; left &= left - 1) {
        __builtin_prefetch(block(stage, locations, first_of(left)), 0);
      }
    }
  }

  /// Returns a mask. For each pending key i of the group, bit i is 1 if the stage contains the key.
  /// The bits of the other keys are unspecified.
  [[gnu::always_inline]] static inline std::uint64_t positives(const LaneStage& stage,
                                                               const StageLocations& locations,
                                                               std::size_t size,
                                                               std::uint64_t pending) noexcept {
    std::uint64_t mask = 0;
    if (is_dense(pending, size)) {
      for (std::size_t end = size; end > 0; end -= kUnrolled) {
        for (std::size_t j = 1; j <= kUnrolled; ++j) {
          mask = 2 * mask + contains_one(stage, locations, end - j);
        }
      }
    } else {
      for (std::uint64_t left = pending; left != 0; left &= left - 1) {
        const std::size_t i = first_of(left);
        mask |= contains_one(stage, locations, i) << i;
      }
    }
    return mask;
  }

  [[gnu::always_inline]] static inline std::uint64_t contains_one(const LaneStage& stage,
                                                                  const StageLocations& locations,
                                                                  std::size_t i) noexcept {
    return static_cast<std::uint64_t>(Body::contains(block(stage, locations, i), locations.los[i]));
  }

  [[gnu::always_inline]] static inline const std::uint64_t* block(const LaneStage& stage,
                                                                  const StageLocations& locations,
                                                                  std::size_t i) noexcept {
    const char* const first = reinterpret_cast<const char*>(stage.words);
    return reinterpret_cast<const std::uint64_t*>(first + locations.offsets[i]);
  }

  [[gnu::always_inline]] static inline std::size_t first_of(std::uint64_t mask) noexcept {
    return static_cast<std::size_t>(__builtin_ctzll(mask));
  }
};

}  // namespace bloometry::block
