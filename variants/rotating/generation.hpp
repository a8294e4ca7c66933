#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/engine/batch_access.hpp"
#include "core/engine/store_access.hpp"
#include "core/hash/mix.hpp"
#include "core/lane_stage/lane_stage.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/store/prefetch.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {

// The operators of the following classes are always inlined, because a copy compiled for one
// instruction set must not be used for another (core/isa/compiled_isa.hpp).

/// Derives the digest of a key in the generation of a slot (core/hash/mix.hpp).
class RemixedPart {
 public:
  explicit RemixedPart(std::size_t slot) noexcept : slot_(slot) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(const Digest& digest) const noexcept {
    return remix(digest, slot_);
  }

 private:
  std::uint64_t slot_;
};

/// Derives the digest of a key in a generation that is a lanes filter. One kernel queries all
/// generations (core/lane_stage/lane_stage.hpp).
class LanePart {
 public:
  explicit LanePart(std::size_t slot) noexcept : factors_(stage_factors(slot)) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(const Digest& digest) const noexcept {
    return stage_digest(digest, factors_);
  }

  [[nodiscard]] const StageFactors& factors() const noexcept { return factors_; }

 private:
  StageFactors factors_;
};

/// A generation of a rotating filter: the filter F of one slot of the ring. Each slot probes with
/// its own digest Part of a key, because a common probe sequence would bias the rate given the
/// fills. The slot of a generation never changes while the generation lives.
template <class F, class Part>
class Generation {
 public:
  using Filter = F;
  static constexpr bool kHasLaneKernel = std::same_as<Part, LanePart>;

  template <class Memory>
  Generation(const Geometry& geometry, std::size_t slot, const Memory& memory)
      : filter_(geometry, memory), part_(slot) {}

  [[nodiscard]] const F& filter() const noexcept { return filter_; }

  [[nodiscard]] const Part& part() const noexcept { return part_; }

  /// Returns the words of the cells, for filters that are read from files.
  [[nodiscard]] std::span<std::uint64_t> words() noexcept {
    return StoreAccess::cells(filter_).words();
  }

  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept {
    return filter_.bits().words();
  }

  /// Inserts a key. Returns whether at least one bit changed.
  bool insert(const Digest& digest) noexcept { return filter_.insert(part_(digest)); }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return filter_.contains(part_(digest));
  }

  /// Inserts the keys of a chunk. Bit i of the result is whether key i changed a bit.
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    const Parts parts(chunk, part_);
    std::uint64_t mask = 0;
    for (std::size_t first = 0; first < chunk.size(); first += F::kUpdateKeys) {
      const auto some = parts.keys().subspan(first).first(
          std::min<std::size_t>(F::kUpdateKeys, chunk.size() - first));
      mask |= BatchAccess::insert_mask(filter_, some) << first;
    }
    return mask;
  }

  /// Sets bit i mod 64 of masks[i / 64] to whether the generation contains key i of the chunk.
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    BatchAccess::contains_masks(filter_, chunk, masks, part_);
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    BatchAccess::prefetch(filter_, part_(digest), access);
  }

  /// Clears the cells. The time is that of writing the memory of the generation.
  void clear() noexcept { filter_.clear(); }

 private:
  /// The digests of the keys of a chunk in this generation.
  class Parts {
   public:
    Parts(std::span<const Digest> chunk, const Part& part) noexcept : num_keys_(chunk.size()) {
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        std::construct_at(&room_.keys[i], part(chunk[i]));
      }
    }

    [[nodiscard]] std::span<const Digest> keys() const noexcept {
      return {room_.keys.data(), num_keys_};
    }

   private:
    /// Memory for digests, uninitialised until they are derived.
    union Room {
      Room() noexcept {}

      std::array<Digest, kMaxChunkKeys> keys;
    };

    Room room_;
    std::size_t num_keys_;
  };

  F filter_;
  Part part_;
};

template <ProbePolicy Probes, class Memory>
using StandardGeneration = Generation<BasicStandardFilter<Probes, Memory>, RemixedPart>;

template <class Memory>
using BlockedGeneration = Generation<BasicBlockedFilter<BitFieldProbes, Memory>, RemixedPart>;

template <class Memory>
using LanesGeneration = Generation<BasicLanesFilter<LaneFieldProbes, Memory>, LanePart>;

/// Returns the size in bytes of a filter, above which batches prefetch, for generations of a type.
/// The generations share the caches, so the size is that of the whole filter.
template <class G>
inline constexpr std::uint64_t kMinPrefetchBytesOf =
    G::Filter::kDescription.sized_by_blocks ? kMinPrefetchBytesOfBlocks : kMinPrefetchBytes;

}  // namespace bloometry
