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

/// What every filter can do.
///
/// contains: true may be wrong, false never is. insert: true proves that the key was not in the
/// filter before, false proves nothing. Both are noexcept unless the filter grows.
///
/// Moved-from: assign or destroy only. All else is undefined; debug builds assert in contains,
/// insert, clear and state of every variant.
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

/// Forgets keys: erase removes a key that the filter reports as present and returns whether it did.
template <class F>
concept ErasableFilter = Filter<F> && requires(F filter, Digest digest) {
  { filter.erase(digest) } -> std::same_as<bool>;
  requires noexcept(filter.erase(digest));
};

/// Takes in another filter of the same configuration, and then is the filter of both key sets: bit
/// for bit what inserting the keys of one and then the other had made.
/// merge throws ConfigError naming the field in which the two differ, and changes nothing then.
template <class F>
concept MergeableFilter = Filter<F> && requires(F filter, const F& other) {
  { filter.merge(other) } -> std::same_as<void>;
};

/// Keeps only what another filter of the same configuration holds too: no false negative for keys
/// in both. It is not the filter of the intersection, whose rate is lower (theory 2). Throws as
/// merge.
template <class F>
concept IntersectableFilter = Filter<F> && requires(F filter, const F& other) {
  { filter.intersect(other) } -> std::same_as<void>;
};

/// Estimates its number of distinct keys from its cells: +infinity if all are set.
template <class F>
concept CountEstimatingFilter = Filter<F> && requires(const F& view) {
  { view.estimate_count() } -> std::same_as<double>;
  requires noexcept(view.estimate_count());
};

/// Estimates union and intersection with another filter of the same configuration, without building
/// either (core/filter/set_estimates.hpp). Throws as merge.
template <class F>
concept SetEstimatingFilter = CountEstimatingFilter<F> && requires(const F& view, const F& other) {
  { view.estimate_sets(other) } -> std::same_as<SetEstimates>;
};

/// Makes a smaller filter of the same keys: fold(d) has m / d cells and is bit for bit the filter
/// built with m / d from the same digests. Only with schemes that have a fold rule.
/// fold throws ConfigError unless d divides what is folded.
template <class F>
concept FoldableFilter = Filter<F> && requires(const F& view, std::uint64_t divisor) {
  { view.fold(divisor) } -> Filter;
};

/// Keeps its rate while more keys come than it was opened for.
template <class F>
concept GrowingFilter = Filter<F> && requires(const F& view) {
  { view.num_stages() } -> std::same_as<std::uint64_t>;
};

/// Tells how many of a key's k probes fall on cells that are not zero, a probe that repeats counted
/// each time. What contains makes of them is the filter's own: all of them must be, and a
/// variable-increment filter asks for more.
template <class F>
concept ProbeCountingFilter = Filter<F> && requires(const F& view, Digest digest) {
  { view.num_hashes() } -> std::same_as<unsigned>;
  { view.num_set_probes(digest) } -> std::same_as<unsigned>;
  requires noexcept(view.num_set_probes(digest));
};

/// Works over memory that somebody else owns.
template <class F>
concept BorrowingFilter = requires(const FilterSpec& spec) {
  { F::num_words_for(F::geometry(spec)) } -> std::same_as<std::uint64_t>;
};

}  // namespace bloometry
