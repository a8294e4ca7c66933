#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "core/contract/filter.hpp"
#include "core/contract/insertion.hpp"
#include "core/engine/batch_access.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/filter_core.hpp"
#include "core/engine/table_design.hpp"
#include "core/engine/table_groups.hpp"
#include "core/error.hpp"
#include "core/probe/digest_words.hpp"

namespace bloometry {

/// Filter of a design that stores fingerprints of keys in buckets (variants/README.md). A key has a
/// few candidate buckets, and its fingerprint is in one of them. In the geometry, a block is a
/// bucket: num_blocks is the number of buckets, and block_cells the number of cells of a bucket.
/// The number of candidate buckets is num_hashes.
///
/// An insert may find no room. The design then leaves the table as it was, `try_insert` returns
/// kFull, and `insert` throws FullError.
///
/// If the design says so (GrowsTable), the filter grows on its own before an insert that would
/// occupy too many cells. A filter in the memory of another owner does not grow.
///
/// Any number of threads may query at the same time. A thread that inserts, erases or grows needs
/// exclusive access.
template <class Design, ProbePolicy P = DefaultProbesOf<Design>, class Memory = OwnedMemory>
class TableFilter : public FilterCore<Design, P, Memory> {
  static_assert(engine::is_table_design<Design, P>());
  using Core = FilterCore<Design, P, Memory>;

 public:
  using typename Core::Cells;
  template <ProbePolicy Q>
  using WithProbes = TableFilter<Design, Q, Memory>;
  template <class M>
  using WithMemory = TableFilter<Design, P, M>;
  /// With more keys per chunk, some of their buckets are evicted from the L1 cache before they are
  /// updated. Inserts of several keys at once prepare each chunk.
  static constexpr std::size_t kEraseKeys = Design::kDescription.max_num_hashes > 2 ? 8 : 16;
  static constexpr std::size_t kUpdateKeys = engine::InsertsNewKeys<Design> ? 32 : kEraseKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;

  /// Whether the filter can grow.
  static constexpr bool kGrows = GrowsTable<Design> && std::same_as<Memory, OwnedMemory>;

  using Core::Core;
  using Core::geometry;

  /// Returns the geometry after num_keys inserts of keys with different fingerprints. It differs
  /// from that of an empty filter if the filter grows on its own.
  /// @throws ConfigError if `geometry` throws.
  [[nodiscard]] static Geometry geometry_at(const FilterSpec& spec,
                                            std::uint64_t num_keys) requires GrowsTable<Design> {
    Geometry geometry = Core::geometry(spec);
    Design design(geometry, Core::resolved_params(spec));
    while (num_keys > design.max_occupied()) {
      geometry = design.grown(geometry);
      design = Design(geometry, design.params(geometry));
    }
    return geometry;
  }

  /// Inserts a key, unless the filter has no room for it. A key that is inserted twice must be
  /// erased twice.
  /// @throws MemoryError if the filter must grow and the memory for the larger table cannot be
  /// allocated; the filter is then unchanged
  [[nodiscard]] Insertion try_insert(const Digest& digest) noexcept(!kGrows) {
    if constexpr (kGrows) {
      if (grows_on_its_own()) return insert_growing(place_of(digest));
    }
    return engine::with_buckets(this->design(), cells_,
                                [words = words_of(digest)](auto buckets, const Design& design) {
                                  return design.try_insert(buckets, design.place(words));
                                });
  }

  /// Inserts a key. Returns true only if the key was not in the filter before.
  /// @throws FullError if the filter has no room for the key, and the errors of try_insert; the
  /// filter is then unchanged
  bool insert(const Digest& digest) {
    const Insertion insertion = try_insert(digest);
    if (insertion == Insertion::kFull) throw FullError(0);
    return insertion == Insertion::kNew;
  }

  /// Returns whether the filter contains the key. The answer true may be wrong. The answer false is
  /// always correct if only keys that were in the filter have been erased.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return engine::with_buckets(this->design(), cells_,
                                [words = words_of(digest)](auto buckets, const Design& design) {
                                  return design.contains(buckets, design.place(words));
                                });
  }

  /// Erases a key and returns true. If the table proves that the key is not in the filter, `erase`
  /// does not change the filter and returns false. Erase only keys that were inserted. The filter
  /// cannot detect that an erased key is a false positive. Such an erase can cause false negatives.
  bool erase(const Digest& digest) noexcept requires(Design::kTraits.erase) {
    const Place place = place_of(digest);
    return recorded(
        engine::with_buckets(this->design(), cells_, [&](auto buckets, const Design& design) {
          return design.erase(buckets, place, this->tally_.num_skipped_decrements);
        }));
  }

  void clear() noexcept {
    Core::clear();
    num_occupied_ = 0;
  }

  /// Moves the fingerprints into a larger table, without the keys. The answer to every query stays
  /// the same. The parameters and the geometry of the filter change.
  /// @throws ConfigError if the design does not have a larger table
  /// @throws MemoryError if the memory for the larger table cannot be allocated. In both cases, the
  /// filter is unchanged.
  void grow() requires(kGrows) {
    const Geometry larger = this->design().grown(geometry());
    Design design(larger, this->design().params(larger));
    auto cells = Core::cells_for(design, larger, Memory());
    this->design().grow_into(cells_, cells);
    cells_ = std::move(cells);
    this->geometry_ = larger;
    static_cast<Design&>(*this) = std::move(design);
    max_occupied_ = this->design().max_occupied();
  }

  /// Returns the cells as they are in memory. A design with its own view (SelectsView) may store
  /// other values in them than it reads from the view.
  [[nodiscard]] const auto& buckets() const noexcept { return cells_; }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return geometry().num_blocks(); }

  /// Returns the state. The filter exceeds max_fill if the share of occupied cells does.
  [[nodiscard]] FilterState state() const noexcept {
    FilterState state = Core::counts();
    state.conditional_false_positive_rate = this->design().rate(cells_, state);
    if (const auto max_fill = geometry().max_fill) {
      const auto num_cells = static_cast<double>(geometry().num_cells);
      state.exceeds_max_fill = static_cast<double>(state.num_ones) > *max_fill * num_cells;
    }
    return state;
  }

 private:
  template <class, ProbePolicy, class>
  friend class TableFilter;
  friend struct BatchAccess;
  friend struct StoreAccess;

  using Place = typename Design::Place;

  /// Number of buckets that are prefetched before the first of them is looked up.
  static constexpr unsigned kGroupBuckets = 32;
  static constexpr unsigned kMostGroupKeys = kGroupBuckets / Design::kDescription.min_num_hashes;

  /// Whether the design has a function for several keys at once.
  static constexpr bool kLooksUpChunks =
      std::same_as<P, DigestWordProbes> && engine::LooksUpChunks<Design>;

  static constexpr bool kInsertsNewKeys =
      std::same_as<P, DigestWordProbes> && engine::InsertsNewKeys<Design>;

  using Core::cells_;

  static constexpr std::uint64_t kNoMaximum = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] std::uint64_t max_occupied_of_design() const noexcept {
    if constexpr (kGrows) return this->design().max_occupied();
    return kNoMaximum;
  }

  [[nodiscard]] bool grows_on_its_own() const noexcept { return max_occupied_ != kNoMaximum; }

  /// Inserts a key into a filter that may have to grow first. A key whose fingerprint is in the
  /// table needs no cell. The place of a key stays valid when the table grows.
  [[gnu::noinline]] Insertion insert_growing(const Place& place) {
    while (num_occupied_ >= max_occupied_ && !this->design().contains(cells_, place)) grow();
    const Insertion insertion = this->design().try_insert(cells_, place);
    num_occupied_ += insertion == Insertion::kNew ? 1 : 0;
    return insertion;
  }

  /// Counts an erase, and the cell that it emptied. Returns whether the key was not absent.
  bool recorded(Erasure erasure) noexcept {
    if constexpr (kGrows) {
      if (grows_on_its_own() && erasure == Erasure::kEmptied) --num_occupied_;
    }
    return this->counted(erasure != Erasure::kAbsent);
  }

  /// Counts the occupied cells again, after other code has written to the cells.
  void count_occupied() noexcept {
    if (grows_on_its_own()) num_occupied_ = cells_.count_occupied();
  }

  // Batch functions, which are documented in BatchAccess.

  [[nodiscard]] bool should_prefetch() const noexcept { return cells_.should_prefetch(); }

  /// Prefetches nothing for a query, because contains_masks prefetches.
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kUpdate) prefetch_all(digest);
  }

  /// Prefetches the buckets of a chunk of keys.
  void prefetch_chunk(std::span<const Digest> chunk, Access access) const noexcept
      requires(kInsertsNewKeys) {
    if (access == Access::kQuery || this->design().prefetch_to_insert(cells_, chunk)) return;
    for (const Digest& digest : chunk) prefetch_all(digest);
  }

  void prefetch_all(const Digest& digest) const noexcept {
    this->design().for_each_bucket(place_of(digest),
                                   [&](std::uint64_t bucket) { cells_.prefetch_to_write(bucket); });
  }

  /// Returns call(buckets, design) with copies of the view and of the design. In a loop, their
  /// members stay in registers.
  template <class Call>
  [[gnu::always_inline]] inline decltype(auto) with_copies(Call call) noexcept {
    const Design design = this->design();
    return engine::with_buckets(design, cells_, [&](auto buckets, const Design& /*copy*/) {
      return call(buckets, design);
    });
  }

  InsertCount try_insert_chunk(std::span<const Digest> chunk) noexcept(!kGrows) {
    if constexpr (kGrows) {
      if (grows_on_its_own()) {
        return count_inserts(chunk, [&](const Digest& digest) { return try_insert(digest); });
      }
    }
    if constexpr (kInsertsNewKeys) return try_insert_new_keys(chunk);
    return try_insert_each(chunk);
  }

  InsertCount try_insert_each(std::span<const Digest> keys) noexcept {
    return with_copies([&](auto& buckets, const Design& design) {
      return count_inserts(keys, [&](const Digest& digest) {
        return design.try_insert(buckets, place_of(digest, design));
      });
    });
  }

  /// Inserts several keys at once up to a key that is not new or has no room, and this key and a
  /// few more keys one by one, because other keys that are not new may follow.
  InsertCount try_insert_new_keys(std::span<const Digest> keys) noexcept {
    constexpr std::size_t kKeysOneByOne = 8;
    InsertCount count;
    while (!keys.empty() && !count.is_full) {
      const auto num_new = this->design().insert_new_keys(cells_, keys);
      count.add({.num_inserted = num_new.value_or(0), .num_new = num_new.value_or(0)});
      keys = keys.subspan(num_new.value_or(0));
      const std::size_t num_others = num_new ? std::min(kKeysOneByOne, keys.size()) : keys.size();
      count.add(try_insert_each(keys.first(num_others)));
      keys = keys.subspan(num_others);
    }
    return count;
  }

  /// Inserts the keys up to the first one without room.
  template <class TryInsert>
  [[gnu::always_inline]] static inline InsertCount count_inserts(std::span<const Digest> chunk,
                                                                 TryInsert try_insert_one) {
    InsertCount count;
    for (const Digest& digest : chunk) {
      const Insertion insertion = try_insert_one(digest);
      count.is_full = insertion == Insertion::kFull;
      if (count.is_full) break;
      ++count.num_inserted;
      count.num_new += insertion == Insertion::kNew ? 1 : 0;
    }
    return count;
  }

  std::uint64_t insert_mask(std::span<const Digest> chunk) {
    return mask_of_each_key(chunk.size(), [&](std::size_t i) {
      const Insertion insertion = try_insert(chunk[i]);
      if (insertion == Insertion::kFull) throw FullError(i);
      return insertion == Insertion::kNew;
    });
  }

  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept requires(Design::kTraits.erase) {
    return with_copies([&](auto& buckets, const Design& design) {
      return mask_of_each(chunk, [&](const Digest& digest) {
        const Place place = place_of(digest, design);
        return recorded(design.erase(buckets, place, this->tally_.num_skipped_decrements));
      });
    });
  }

  template <class Key = Digest, class Derive = std::identity>
  void contains_masks(std::span<const Key> keys, std::uint64_t* masks,
                      Derive derive = {}) const noexcept {
    if constexpr (kLooksUpChunks && std::same_as<Key, Digest> &&
                  std::same_as<Derive, std::identity>) {
      if (this->design().contains_chunk(cells_, keys, masks)) return;
    }
    const Design design = this->design();
    const auto place_at = [&](std::size_t i) __attribute__((always_inline)) {
      return place_of(derive(keys[i]), design);
    };
    engine::with_buckets(design, cells_, [&](auto buckets, const Design& /*copy*/) {
      if (should_prefetch()) {
        const std::size_t group_keys = std::bit_floor(kGroupBuckets / geometry().num_hashes);
        engine::contains_groups<kMostGroupKeys>(buckets, design, keys.size(), group_keys, masks,
                                                place_at);
        return;
      }
      for (std::size_t first = 0; first < keys.size(); first += kMaxChunkKeys) {
        masks[first / kMaxChunkKeys] = engine::mask_of_answers(
            std::min(kMaxChunkKeys, keys.size() - first),
            [&](std::size_t i) { return design.contains(buckets, place_at(first + i)); });
      }
    });
  }

  [[nodiscard]] Place place_of(const Digest& digest) const noexcept {
    return place_of(digest, this->design());
  }

  /// Always inlined. Otherwise, g++ stops to inline it when a design has several views.
  [[nodiscard, gnu::always_inline]] inline Place place_of(const Digest& digest,
                                                          const Design& design) const noexcept {
    return design.place(words_of(digest));
  }

  [[nodiscard, gnu::always_inline]] inline P words_of(const Digest& digest) const noexcept {
    return P(digest, geometry().num_cells);
  }

  /// Number of occupied cells, if the filter grows on its own.
  std::uint64_t num_occupied_ = 0;
  std::uint64_t max_occupied_ = max_occupied_of_design();
};

}  // namespace bloometry
