#pragma once

#include <algorithm>
#include <array>
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
#include "core/error.hpp"

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
  static constexpr std::size_t kUpdateKeys = 32;
  static constexpr std::size_t kQueryKeys = kMaxChunkKeys;

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
      if (max_occupied_ != kNoMaximum) return insert_growing(place_of(digest));
    }
    return this->design().try_insert(cells_, place_of(digest));
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
    return this->design().contains(cells_, place_of(digest));
  }

  /// Erases a key and returns true. If the table proves that the key is not in the filter, `erase`
  /// does not change the filter and returns false. Erase only keys that were inserted. The filter
  /// cannot detect that an erased key is a false positive. Such an erase can cause false negatives.
  bool erase(const Digest& digest) noexcept requires(Design::kTraits.erase) {
    const Erasure erasure =
        this->design().erase(cells_, place_of(digest), this->tally_.num_skipped_decrements);
    if constexpr (kGrows) {
      if (max_occupied_ != kNoMaximum && erasure == Erasure::kEmptied) --num_occupied_;
    }
    return this->counted(erasure != Erasure::kAbsent);
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
    auto cells = Cells::make(larger, Memory());
    this->design().grow_into(cells_, cells);
    cells_ = std::move(cells);
    this->geometry_ = larger;
    static_cast<Design&>(*this) = std::move(design);
    max_occupied_ = this->design().max_occupied();
  }

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

  using Core::cells_;

  static constexpr std::uint64_t kNoMaximum = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] std::uint64_t max_occupied_of_design() const noexcept {
    if constexpr (kGrows) return this->design().max_occupied();
    return kNoMaximum;
  }

  /// Inserts a key into a filter that may have to grow first. A key whose fingerprint is in the
  /// table needs no cell. The place of a key stays valid when the table grows.
  template <class Place>
  [[gnu::noinline]] Insertion insert_growing(const Place& place) {
    while (num_occupied_ >= max_occupied_ && !this->design().contains(cells_, place)) grow();
    const Insertion insertion = this->design().try_insert(cells_, place);
    num_occupied_ += insertion == Insertion::kNew ? 1 : 0;
    return insertion;
  }

  /// Counts the occupied cells again, after other code has written to the cells.
  void count_occupied() noexcept {
    if (max_occupied_ != kNoMaximum) num_occupied_ = cells_.count_occupied();
  }

  // Batch functions, which are documented in BatchAccess.

  [[nodiscard]] bool should_prefetch() const noexcept { return cells_.should_prefetch(); }

  void prefetch(const Digest& digest, Access access) const noexcept {
    this->design().for_each_bucket(place_of(digest), [&](std::uint64_t bucket) {
      access == Access::kUpdate ? cells_.prefetch_to_write(bucket)
                                : cells_.prefetch_to_read(bucket);
    });
  }

  void prefetch_all(const Digest& digest) const noexcept { prefetch(digest, Access::kUpdate); }

  InsertCount try_insert_chunk(std::span<const Digest> chunk) noexcept(!kGrows) {
    InsertCount count;
    for (const Digest& digest : chunk) {
      const Insertion insertion = try_insert(digest);
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
    return mask_of_each(chunk, [this](const Digest& key) { return erase(key); });
  }

  template <class Key = Digest, class Derive = std::identity>
  void contains_masks(std::span<const Key> keys, std::uint64_t* masks,
                      Derive derive = {}) const noexcept {
    while (!keys.empty()) {
      const auto some = keys.first(std::min(kMaxChunkKeys, keys.size()));
      *masks++ =
          mask_of_each_key(some.size(), [&](std::size_t i) { return contains(derive(some[i])); });
      keys = keys.subspan(some.size());
    }
  }

  [[nodiscard]] auto place_of(const Digest& digest) const noexcept {
    return this->design().place(P(digest, geometry().num_cells));
  }

  /// Number of occupied cells, if the filter grows on its own.
  std::uint64_t num_occupied_ = 0;
  std::uint64_t max_occupied_ = max_occupied_of_design();
};

}  // namespace bloometry
