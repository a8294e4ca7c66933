#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/filter/filter_state.hpp"
#include "core/filter/set_estimates.hpp"
#include "core/hash/digest.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// The operations of every filter.
///
/// contains: true may be wrong, false never is. insert: true proves that the key was not in the
/// filter before; false does not prove anything. Both are noexcept unless the filter grows.
///
/// A moved-from filter may only be assigned or destroyed. Any other use is undefined; debug builds
/// assert in contains, insert, clear and state of every variant.
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

/// A filter that can erase: erase removes a key that the filter reports as present, and returns
/// whether it did.
template <class F>
concept ErasableFilter = Filter<F> && requires(F filter, Digest digest) {
  { filter.erase(digest) } -> std::same_as<bool>;
  requires noexcept(filter.erase(digest));
};

/// A filter that can merge another one of the same configuration into itself. The result equals,
/// bit for bit, the filter that receives the keys of one and then those of the other. The function
/// throws ConfigError that names the field in which the two differ, and then leaves both filters
/// unchanged.
template <class F>
concept MergeableFilter = Filter<F> && requires(F filter, const F& other) {
  { filter.merge(other) } -> std::same_as<void>;
};

/// A filter that can be intersected with another one of the same configuration. The result does not
/// have false negatives for keys in both. It is not the filter of the intersection, whose rate is
/// lower (theory 2). intersect throws as merge does.
template <class F>
concept IntersectableFilter = Filter<F> && requires(F filter, const F& other) {
  { filter.intersect(other) } -> std::same_as<void>;
};

/// A filter that estimates its number of distinct keys from its cells: +infinity if all are set.
template <class F>
concept CountEstimatingFilter = Filter<F> && requires(const F& view) {
  { view.estimate_count() } -> std::same_as<double>;
  requires noexcept(view.estimate_count());
};

/// A filter that estimates union and intersection with another one of the same configuration,
/// without building either (core/filter/set_estimates.hpp). Throws as merge does.
template <class F>
concept SetEstimatingFilter = CountEstimatingFilter<F> && requires(const F& view, const F& other) {
  { view.estimate_sets(other) } -> std::same_as<SetEstimates>;
};

/// A filter that can make a smaller filter of the same keys. fold(d) has m / d cells and equals,
/// bit for bit, the filter built with that size from the same digests. This requires a scheme with
/// a fold rule. fold throws ConfigError unless d divides the folded size.
template <class F>
concept FoldableFilter = Filter<F> && requires(const F& view, std::uint64_t divisor) {
  { view.fold(divisor) } -> Filter;
};

/// A filter that keeps its rate when more keys arrive than it was opened for.
template <class F>
concept GrowingFilter = Filter<F> && requires(const F& view) {
  { view.num_stages() } -> std::same_as<std::uint64_t>;
};

/// A filter that counts how many of a key's k probes fall on non-zero cells; a repeated probe
/// counts each time. For most filters contains is true iff all of them do; a variable-increment
/// filter requires more.
template <class F>
concept ProbeCountingFilter = Filter<F> && requires(const F& view, Digest digest) {
  { view.num_hashes() } -> std::same_as<unsigned>;
  { view.num_set_probes(digest) } -> std::same_as<unsigned>;
  requires noexcept(view.num_set_probes(digest));
};

/// A filter that can work over memory owned by the caller.
template <class F>
concept BorrowingFilter = requires(const FilterSpec& spec) {
  { F::num_words_for(F::geometry(spec)) } -> std::same_as<std::uint64_t>;
};

}  // namespace bloometry
