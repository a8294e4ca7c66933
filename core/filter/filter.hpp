#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/filter/filter_state.hpp"
#include "core/hash/digest.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// What every filter can do.
///
/// contains: true may be wrong, false never is. insert: true proves that the key was not in the
/// filter before, false proves nothing. Both are noexcept unless the filter grows.
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

/// Keeps its rate while more keys come than it was opened for.
template <class F>
concept GrowingFilter = Filter<F> && requires(const F& view) {
  { view.num_stages() } -> std::same_as<std::uint64_t>;
};

/// Works over memory that somebody else owns.
template <class F>
concept BorrowingFilter = requires(const FilterSpec& spec) {
  { F::num_words_for(F::geometry(spec)) } -> std::same_as<std::uint64_t>;
};

}  // namespace bloometry
