#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "core/block/block_layout.hpp"
#include "core/block/block_operations.hpp"
#include "core/contract/filter.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/block_design.hpp"
#include "core/engine/block_view.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/filter_core.hpp"
#include "core/engine/key_positions.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/store/fold.hpp"
#include "core/store/prefetch.hpp"

namespace bloometry {
namespace engine {

/// Whether the kernels of a design accept integer keys (core/integer_batch/integer_kernels.hpp).
template <class Design>
inline constexpr bool kHasIntegerKernels = [] {
  if constexpr (HasKernels<Design>) {
    return requires(decltype(Design::kernels(std::declval<const Geometry&>())) kernels) {
      kernels.contains_integers(std::span<const std::uint64_t>(), 0U, std::declval<IntegerHash>(),
                                std::span<const std::uint64_t>(), false, nullptr);
    };
  }
  return false;
}();

struct NoKernels {
  explicit NoKernels(const Geometry& /*geometry*/) noexcept {}
};

}  // namespace engine

/// Filter of a design that puts all probes of a key in one block. If the scheme is the design's
/// KernelProbes and only one thread writes the memory, the filter calls the design's kernels.
/// Otherwise the filter calls the design's hooks.
///
/// Any number of threads may query at the same time. A thread that inserts or erases needs
/// exclusive access. With Atomic memory, which only bits support, any number of threads may call
/// `insert`, `contains`, their batches, `state` and `estimate_count` at the same time. A thread
/// that calls any other function needs exclusive access (variants/standard/README.md, "Threads").
template <class Design, ProbePolicy P = DefaultProbesOf<Design>, class Memory = OwnedMemory>
class BlockFilter : public FilterCore<Design, P, Memory> {
  static_assert(engine::is_block_design<Design>());
  using Core = FilterCore<Design, P, Memory>;
  using WordAccess = typename Memory::WordAccess;
  static constexpr bool kHasKernels =
      engine::kHasKernelsFor<Design, P> && std::same_as<WordAccess, PlainAccess>;
  static constexpr unsigned kCellBits = Core::Cells::kCellBits;
  static constexpr bool kHashesIntegers = kHasKernels && engine::kHasIntegerKernels<Design>;

 public:
  using typename Core::Cells;
  template <ProbePolicy Q>
  using WithProbes = BlockFilter<Design, Q, Memory>;
  template <class M>
  using WithMemory = BlockFilter<Design, P, M>;
  static constexpr std::size_t kUpdateKeys = kMaxChunkKeys;
  static constexpr std::size_t kQueryKeys = kMaxChunkKeys;

  using Core::Core;
  using Core::geometry;
  using Core::num_bits;
  using Core::num_hashes;

  /// Inserts a key. Returns true only if the key was not in the filter before. If a key is inserted
  /// twice into a filter of counters, it must be erased twice.
  bool insert(const Digest& digest) noexcept {
    if constexpr (kHasKernels) {
      return kernels_.insert(cells_.words(), num_blocks(), digest);
    } else {
      return Design::insert(block_of(digest), positions_of(digest));
    }
  }

  /// Returns an object that inserts keys one by one faster than the function `insert`
  /// (core/engine/inserter.hpp).
  [[nodiscard]] auto inserter() noexcept requires kIsWritable<Memory> {
    using View = WithMemory<ViewMemory<std::uint64_t, WordAccess>>;
    return Inserter(View(ViewOfCells(), *this));
  }

  /// Inserts a key. Returns the numbers of set bits of the key's block before and after the insert.
  OnesInBlock insert_counted(const Digest& digest) noexcept
      requires(kHasKernels&& std::same_as<Cells, Bits>) {
    return kernels_.insert_counted(cells_.words(), num_blocks(), digest);
  }

  /// Returns whether the filter contains the key. The answer true may be wrong. The answer false is
  /// always correct if only keys that were in the filter have been erased.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    if constexpr (kHasKernels) {
      return kernels_.contains(cells_.words(), num_blocks(), digest);
    } else {
      const auto block = block_of(digest);
      auto positions = positions_of(digest);
      unsigned i = 0;
      do {
        if (!Design::passes(block, positions.next())) return false;
      } while (++i < num_hashes());
      return true;
    }
  }

  /// Erases a key and returns true. If the cells prove that the key is not in the filter, `erase`
  /// does not change the filter and returns false. Erase only keys that were inserted. The filter
  /// cannot detect that an erased key is a false positive. Such an erase can cause false negatives.
  bool erase(const Digest& digest) noexcept requires(Design::kTraits.erase) {
    std::uint64_t& num_skipped = this->tally_.num_skipped_decrements;
    if constexpr (kHasKernels) {
      return this->counted(kernels_.erase(cells_.words(), num_blocks(), digest, num_skipped));
    } else {
      return this->counted(Design::erase(block_of(digest), positions_of(digest), num_skipped));
    }
  }

  /// Returns the words of the block of a key.
  [[nodiscard]] std::span<const std::uint64_t> words_of_block(const Digest& digest) const noexcept {
    return cells_.words().subspan(first_word(digest), layout_.words_per_block());
  }

  /// Returns the number of set bits of the block of a key.
  [[nodiscard]] unsigned num_ones_in_block(
      const Digest& digest) const noexcept requires std::same_as<Cells, Bits> {
    const std::uint64_t* block = cells_.words().data() + first_word(digest);
    unsigned ones = 0;
    for (unsigned w = 0; w < layout_.words_per_block(); ++w) {
      ones += static_cast<unsigned>(std::popcount(WordAccess::load(block[w])));
    }
    return ones;
  }

  /// Returns a filter of the same keys with num_blocks / divisor blocks. The bits of the result
  /// equal those of a filter that is built with the size of the result. Each block of the result is
  /// the OR of `divisor` neighbouring blocks. Every scheme is supported, because the word that
  /// selects the block does not depend on num_blocks. The result owns its memory.
  /// @throws ConfigError if divisor does not divide num_blocks.
  [[nodiscard]] auto fold(std::uint64_t divisor) const requires(Design::kTraits.fold) {
    require_divisor(divisor, "num_blocks", num_blocks());
    Geometry smaller = geometry();
    smaller.num_cells /= divisor;
    WithMemory<OwnedMemory> result(smaller);
    fold_blocks(cells_.words(), result.cells_.words(), divisor, layout_.words_per_block());
    return result;
  }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return layout_.num_blocks(); }

  [[nodiscard]] unsigned block_bits() const noexcept { return layout_.block_cells() * kCellBits; }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState counts = Core::counts();
    const BlocksView<kCellBits, WordAccess> blocks(cells_.words(), layout_.words_per_block());
    const double rate = Design::rate(Core::kModel, blocks, counts, num_hashes());
    return Core::with_rate(counts, rate);
  }

 private:
  template <class, ProbePolicy, class>
  friend class BlockFilter;
  friend struct BatchAccess;

  using Core::cells_;

  template <class M>
  BlockFilter(ViewOfCells tag, BlockFilter<Design, P, M>& other) : Core(tag, other) {}

  // Batch functions, which are documented in BatchAccess.

  [[nodiscard]] bool should_prefetch() const noexcept {
    return num_bits() / 8 > kMinPrefetchBytesOfBlocks;
  }

  void prefetch(const Digest& digest, Access access) const noexcept {
    const std::uint64_t* block = cells_.words().data() + first_word(digest);
    access == Access::kUpdate ? prefetch_to_write(block) : prefetch_to_read(block);
  }

  void prefetch_all(const Digest& digest) const noexcept { prefetch(digest, Access::kUpdate); }

  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if constexpr (kHasKernels) {
      return kernels_.insert_mask(cells_.words(), num_blocks(), chunk);
    } else {
      return mask_of_each(chunk, [this](const Digest& key) { return insert(key); });
    }
  }

  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept requires(Design::kTraits.erase) {
    if constexpr (kHasKernels) {
      const std::uint64_t erased = kernels_.erase_mask(cells_.words(), num_blocks(), chunk,
                                                       this->tally_.num_skipped_decrements);
      this->tally_.num_refused_erases +=
          chunk.size() - static_cast<unsigned>(std::popcount(erased));
      return erased;
    } else {
      return mask_of_each(chunk, [this](const Digest& key) { return erase(key); });
    }
  }

  template <class Key, class Derive>
  void contains_masks(std::span<const Key> keys, std::uint64_t* masks,
                      Derive derive) const noexcept {
    if constexpr (std::same_as<Derive, std::identity>) {
      *masks = contains_mask(keys);
    } else {
      // Uninitialised memory for digests.
      union Room {
        Room() noexcept {}

        std::array<Digest, kMaxChunkKeys> digests;
      } room;

      while (!keys.empty()) {
        const auto some = keys.first(std::min(kMaxChunkKeys, keys.size()));
        for (std::size_t i = 0; i < some.size(); ++i) {
          std::construct_at(&room.digests[i], derive(some[i]));
        }
        *masks++ = contains_mask({room.digests.data(), some.size()});
        keys = keys.subspan(some.size());
      }
    }
  }

  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    if constexpr (kHasKernels) {
      return kernels_.contains_mask(cells_.words(), num_blocks(), chunk);
    } else {
      return mask_of_each(chunk, [this](const Digest& key) { return contains(key); });
    }
  }

  // Functions for integer keys, for designs with kernels that hash integers.

  void contains_integers(const IntegerHash& hash, std::span<const std::uint64_t> keys,
                         std::uint64_t* masks) const noexcept requires kHashesIntegers {
    kernels_.contains_integers(cells_.words(), num_blocks(), hash, keys, should_prefetch(), masks);
  }

  std::uint64_t insert_integers(const IntegerHash& hash,
                                std::span<const std::uint64_t> keys) noexcept requires
      kHashesIntegers {
    return kernels_.insert_integers(cells_.words(), num_blocks(), hash, keys, should_prefetch());
  }

  static auto kernels_for(const Geometry& geometry) noexcept {
    if constexpr (kHasKernels) {
      return Design::kernels(geometry);
    } else {
      return engine::NoKernels(geometry);
    }
  }

  [[nodiscard]] std::uint64_t first_word(const Digest& digest) const noexcept {
    if constexpr (requires { Design::block_number(digest, num_blocks()); }) {
      return layout_.first_word_of(Design::block_number(digest, num_blocks()));
    } else {
      return layout_.first_word(block_word<P>(digest));
    }
  }

  [[nodiscard]] auto block_of(const Digest& digest) noexcept {
    return BlockView<kCellBits, WordAccess, std::uint64_t>(cells_.words().data() +
                                                           first_word(digest));
  }

  [[nodiscard]] auto block_of(const Digest& digest) const noexcept {
    return BlockView<kCellBits, WordAccess, const std::uint64_t>(cells_.words().data() +
                                                                 first_word(digest));
  }

  [[nodiscard]] KeyPositions<Design, P> positions_of(const Digest& digest) const noexcept {
    return {this->design(), digest, layout_.block_cells(), num_hashes()};
  }

  BlockLayout<kCellBits> layout_{geometry().num_blocks(), geometry().block_cells};
  [[no_unique_address]] decltype(kernels_for({})) kernels_ = kernels_for(geometry());
};

}  // namespace bloometry
