#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/contract/filter_state.hpp"
#include "core/contract/insertion.hpp"
#include "core/engine/cells.hpp"
#include "core/engine/design.hpp"
#include "core/hash/digest.hpp"
#include "core/store/memory.hpp"

namespace bloometry {

/// Result of the erase of a key from a table.
enum class Erasure {
  kAbsent,       ///< the table proves that the key is absent, and is unchanged
  kDecremented,  ///< the key's cell is still occupied
  kEmptied,      ///< the key's cell is now empty
};

/// A design whose filled table can be moved into a larger one without the keys. The function
/// `grown(geometry)` returns the next larger geometry, or throws ConfigError. The function
/// `grow_into(cells, larger)` copies the cells into a larger, empty table. The function
/// max_occupied() returns the number of occupied cells above which the filter grows on its own, or
/// the largest number if the filter does not.
template <class Design>
concept GrowsTable = requires(const Design& design, const Geometry& geometry) {
  { design.grown(geometry) } -> std::same_as<Geometry>;
  { design.max_occupied() } -> std::same_as<std::uint64_t>;
};

namespace engine {

/// A design that looks up several keys at once, if the machine has instructions for it. The
/// function `contains_chunk(cells, keys, masks)` sets bit i mod 64 of masks[i / 64] to the result
/// of `contains` for key i, and returns true. If it returns false, it has done nothing.
template <class Design>
concept LooksUpChunks = requires(const Design& design,
                                 const typename Design::Cells::template Store<OwnedMemory>& cells,
                                 std::span<const Digest> keys, std::uint64_t* masks) {
  { design.contains_chunk(cells, keys, masks) } -> std::same_as<bool>;
};

/// A design that inserts several keys at once, if the machine has instructions for it. The function
/// `insert_new_keys(cells, keys)` inserts the keys up to the first one that is not certainly new or
/// has no room, and returns their number. The function `prefetch_to_insert(cells, keys)` prefetches
/// their buckets, and returns true. If they return std::nullopt and false, they have done nothing.
template <class Design>
concept InsertsNewKeys = requires(const Design& design,
                                  typename Design::Cells::template Store<OwnedMemory>& cells,
                                  std::span<const Digest> keys) {
  { design.insert_new_keys(cells, keys) } -> std::same_as<std::optional<std::size_t>>;
  { design.prefetch_to_insert(cells, keys) } -> std::same_as<bool>;
};

/// A design that selects the view of the cells. The function `with_buckets(cells, call)` returns
/// call(buckets, design), where `buckets` has the functions of BucketWords. The function
/// `make_cells(geometry, memory)` makes the cells, if Cells::make does not suit the view.
template <class Design>
concept SelectsView = requires(const Design& design,
                               const typename Design::Cells::template Store<OwnedMemory>& cells) {
  design.with_buckets(cells, [](auto /*buckets*/, const Design& /*design*/) {});
};

/// Returns call(buckets, design) with the view of the cells that the design selects. Otherwise, it
/// is the view with the fastest access. A call that has captured at most 16 bytes stays in
/// registers if a view is not inlined.
template <class Design, class Store, class Call>
[[gnu::always_inline]] inline decltype(auto) with_buckets(const Design& design, Store& cells,
                                                          Call call) noexcept {
  if constexpr (SelectsView<Design>) {
    return design.with_buckets(cells, call);
  } else {
    return cells.with_words([&](auto buckets) { return call(buckets, design); });
  }
}

/// Checks that a design for TableFilter has the required members.
template <class Design, class Probes>
consteval bool is_table_design() {
  using Store = typename Design::Cells::template Store<OwnedMemory>;
  check_settings<Design>();
  check_cells<Design>();
  static_assert(std::same_as<typename Design::Cells, Buckets>,
                "a design of TableFilter needs buckets: using Cells = Buckets;");
  static_assert(Design::kDescription.sized_by_blocks && Design::kDescription.is_limited,
                "a design of TableFilter needs .sized_by_blocks = true and .is_limited = true in "
                "kDescription, because its size is a number of buckets and limits the number of "
                "keys");
  static_assert(!Design::kTraits.merge && !Design::kTraits.intersect && !Design::kTraits.fold &&
                    !Design::kTraits.estimate,
                "a design of TableFilter has no trait other than erase, because the cells of a "
                "table cannot be combined one by one");
  static_assert(
      requires(const Design& design, Probes words) { design.place(words); },
      "a design needs place, which computes the fingerprint of a key from its words: auto "
      "place(auto words) const");
  using Place = decltype(std::declval<const Design&>().place(std::declval<Probes>()));
  static_assert(
      requires(const Design& design, const Place& place) {
        design.for_each_bucket(place, [](std::uint64_t) {});
      },
      "a design needs for_each_bucket, which lists the candidate buckets of a key: void "
      "for_each_bucket(const Place& place, auto visit) const");
  static_assert(
      requires(const Design& design, Store& table, const Place& place) {
        { design.try_insert(table, place) } -> std::same_as<Insertion>;
      },
      "a design needs try_insert, which leaves a table without room unchanged: Insertion "
      "try_insert(auto& table, const Place& place) const");
  static_assert(
      requires(const Design& design, const Store& table, const Place& place) {
        { design.contains(table, place) } -> std::same_as<bool>;
      },
      "a design needs contains: bool contains(const auto& table, const Place& place) const");
  if constexpr (Design::kTraits.erase) {
    static_assert(
        requires(const Design& design, Store& table, const Place& place, std::uint64_t& skipped) {
          { design.erase(table, place, skipped) } -> std::same_as<Erasure>;
        },
        "a design that promises erase needs it: Erasure erase(auto& table, const Place& place, "
        "std::uint64_t& num_skipped) const");
  }
  static_assert(
      requires(const Design& design, const Store& table, FilterState& counts) {
        { design.rate(table, counts) } -> std::same_as<double>;
      },
      "a design needs rate, that of an absent key given the table: double rate(const auto& table, "
      "FilterState& counts) const");
  return true;
}

}  // namespace engine
}  // namespace bloometry
