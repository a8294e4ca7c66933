#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/contract/insertion.hpp"
#include "core/contract/set_estimates.hpp"
#include "core/contract/window.hpp"
#include "core/hash/digest.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// The operations that every filter has.
///
/// The function `contains`, which is noexcept, returns whether the filter contains the key. The
/// answer true may be wrong; the answer false is never wrong. The function `insert` returns true
/// only if the key was certainly new. A return value of false does not prove that the key was
/// present. The function `insert` is noexcept if the filter neither grows nor is limited.
///
/// A moved-from filter may only be assigned or destroyed. Any other use of a moved-from filter is
/// undefined. In debug builds, `contains`, `insert`, `clear` and `state` of every variant assert
/// that the filter is not moved-from.
template <class F>
concept Filter = std::movable<F> && std::constructible_from<F, const FilterSpec&> &&
    requires(F filter, const F& view, const FilterSpec& spec, Digest digest) {
  { F::kName } -> std::convertible_to<std::string_view>;
  { F::kModel } -> std::convertible_to<ProbeModel>;
  { F::geometry(spec) } -> std::same_as<Geometry>;
  { filter.insert(digest) } -> std::same_as<bool>;
  { view.contains(digest) } -> std::same_as<bool>;
  { view.num_bits() } -> std::same_as<std::uint64_t>;
  { view.state() } -> std::same_as<FilterState>;
  filter.clear();
  requires noexcept(view.contains(digest));
};

/// A filter that can erase keys. The function `erase` removes a key that the filter reports as
/// present, and returns whether the key was removed.
template <class F>
concept ErasableFilter = Filter<F> && requires(F filter, Digest digest) {
  { filter.erase(digest) } -> std::same_as<bool>;
  requires noexcept(filter.erase(digest));
};

/// A filter with room for a limited number of keys. The function `try_insert` returns kFull if the
/// filter has no room for the key, and the filter is then unchanged. The function `insert` throws
/// FullError in this case. Equal inserts in equal order give equal filters. The function
/// `try_insert` is noexcept unless the filter can grow on its own (GrowableFilter).
template <class F>
concept LimitedFilter = Filter<F> && requires(F filter, Digest digest) {
  { filter.try_insert(digest) } -> std::same_as<Insertion>;
};

/// A filter into which another filter of the same configuration can be merged. The result equals,
/// bit for bit, a filter into which the filter's own keys and then those of the other one were
/// inserted. `merge` throws ConfigError if the filters differ in configuration. The message names
/// the field, and both filters are unchanged.
template <class F>
concept MergeableFilter = Filter<F> && requires(F filter, const F& other) {
  { filter.merge(other) } -> std::same_as<void>;
};

/// A filter that can be intersected with another filter of the same configuration. The intersected
/// filter contains every key that was inserted into both filters. A filter built from the common
/// keys alone has a lower rate than the intersected filter (theory 2). The function `intersect`
/// throws the same errors as `merge`.
template <class F>
concept IntersectableFilter = Filter<F> && requires(F filter, const F& other) {
  { filter.intersect(other) } -> std::same_as<void>;
};

/// A filter that estimates the number of distinct inserted keys from the number of non-zero cells.
/// The estimate is +infinity if all cells are set.
template <class F>
concept CountEstimatingFilter = Filter<F> && requires(const F& view) {
  { view.estimate_count() } -> std::same_as<double>;
  requires noexcept(view.estimate_count());
};

/// A filter that estimates the sizes of the union and the intersection of its key set and that of
/// another filter of the same configuration. The function estimate_sets does not build a third
/// filter (core/contract/set_estimates.hpp), and throws the same errors as `merge`.
template <class F>
concept SetEstimatingFilter = CountEstimatingFilter<F> && requires(const F& view, const F& other) {
  { view.estimate_sets(other) } -> std::same_as<SetEstimates>;
};

/// A filter that can make a smaller filter of the same keys. The function fold(d) returns a filter
/// of m / d cells. It equals, bit for bit, a filter of this size that is built from the same
/// digests. In a filter without blocks, the scheme must have a fold rule. `fold` throws ConfigError
/// if d does not divide the folded size (the number of cells or blocks, or the slice length).
template <class F>
concept FoldableFilter = Filter<F> && requires(const F& view, std::uint64_t divisor) {
  { view.fold(divisor) } -> Filter;
};

/// A filter that keeps its target rate if more keys are inserted than its initial capacity.
template <class F>
concept GrowingFilter = Filter<F> && requires(const F& view, const FilterSpec& spec) {
  { view.num_stages() } -> std::same_as<std::uint64_t>;
  { F::initial_capacity(spec) } -> std::same_as<std::uint64_t>;
};

/// A limited filter whose stored keys can be moved into a larger filter without the keys. After
/// grow(), the filter has more room, and every query has the same answer. `grow` throws ConfigError
/// if a larger filter is not possible, and MemoryError if its memory cannot be allocated. The
/// filter is then unchanged. The filter may also grow on its own in an insert, which then throws
/// MemoryError in the same case. The function geometry_at returns the geometry after num_keys
/// inserts of keys with different fingerprints.
template <class F>
concept GrowableFilter = LimitedFilter<F> &&
    requires(F filter, const FilterSpec& spec, std::uint64_t num_keys) {
  { filter.grow() } -> std::same_as<void>;
  { F::geometry_at(spec, num_keys) } -> std::same_as<Geometry>;
};

/// A filter that contains each key at least for a window and then forgets it. Every insert call
/// counts, also that of a key which is in the filter, and begins a new window for its key. The
/// function `tick` rotates the generations now. A filter has no clock: a caller that calls `tick`
/// at equal intervals gets windows of time. The function `age` returns the number of rotations
/// since the insert of the key, or std::nullopt if the filter does not contain the key. As
/// `contains` may be wrong, the age may be too low, but it is never too high within the window. The
/// functions `insert` and `tick` are noexcept. The member `capacity` of the spec is the number of
/// insert calls of the window.
template <class F>
concept ForgettingFilter = Filter<F> &&
    requires(F filter, const F& view, const FilterSpec& spec, Digest digest) {
  { F::window_of(spec) } -> std::same_as<Window>;
  { view.window() } -> std::same_as<Window>;
  { view.age(digest) } -> std::same_as<std::optional<std::uint64_t>>;
  { filter.tick() } -> std::same_as<void>;
  requires noexcept(view.age(digest));
  requires noexcept(filter.tick());
};

/// A filter that counts how many of a key's k probes fall on non-zero cells. A repeated probe is
/// counted each time. In most filters, `contains` returns true if and only if all k probes fall on
/// non-zero cells. In a variable-increment filter, `contains` also tests the increments.
template <class F>
concept ProbeCountingFilter = Filter<F> && requires(const F& view, Digest digest) {
  { view.num_hashes() } -> std::same_as<unsigned>;
  { view.num_set_probes(digest) } -> std::same_as<unsigned>;
  requires noexcept(view.num_set_probes(digest));
};

/// A filter that can use memory owned by the caller.
template <class F>
concept BorrowingFilter = requires(const FilterSpec& spec) {
  { F::num_words_for(F::geometry(spec)) } -> std::same_as<std::uint64_t>;
};

}  // namespace bloometry
