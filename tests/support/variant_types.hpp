#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/filter/any_filter.hpp"
#include "variants/all_variants.hpp"

namespace bloometry::test {

template <class... Fs>
std::tuple<Fs...> as_tuple(VariantList<Fs...>);

template <class F, class... Ps>
std::tuple<typename F::template WithProbes<Ps>...> with_each(std::type_identity<ProbeList<Ps...>>);

template <class... Fs>
auto with_every_scheme(std::type_identity<std::tuple<Fs...>>) -> decltype(std::tuple_cat(
    with_each<Fs>(std::type_identity<typename Fs::SupportedProbes>{})...));

/// Every variant with its default scheme.
using Variants = decltype(as_tuple(AllVariants{}));

/// Every variant with each scheme that it supports.
using VariantsWithSchemes = decltype(with_every_scheme(std::type_identity<Variants>{}));

template <class F>
struct IsErasable : std::bool_constant<ErasableFilter<F>> {};

template <class F>
struct IsBorrowing : std::bool_constant<BorrowingFilter<F>> {};

template <class F>
struct HasFixedSize : std::bool_constant<!GrowingFilter<F>> {};

template <class F>
struct HasNoBlocks : std::bool_constant<!F::kDescription.sized_by_blocks> {};

template <class F>
struct FollowsModel;

// A filter's scheme is its first template argument.
template <template <class...> class F, class Probes, class... Rest>
struct FollowsModel<F<Probes, Rest...>> : std::bool_constant<Probes::kFollowsModel> {};

template <template <class> class Predicate, class... Fs>
auto those(std::type_identity<std::tuple<Fs...>>) -> decltype(std::tuple_cat(
    std::declval<std::conditional_t<Predicate<Fs>::value, std::tuple<Fs>, std::tuple<>>>()...));

/// Those of the types that satisfy the predicate.
template <class Types, template <class> class Predicate>
using Those = decltype(those<Predicate>(std::type_identity<Types>{}));

using ErasableVariants = Those<VariantsWithSchemes, IsErasable>;
using BorrowingVariants = Those<VariantsWithSchemes, IsBorrowing>;
using FixedSizeVariants = Those<VariantsWithSchemes, HasFixedSize>;
using ModelFollowingVariants = Those<VariantsWithSchemes, FollowsModel>;

/// k, or the nearest that the filter takes.
template <class F>
unsigned hashes_near(unsigned num_hashes) {
  return std::clamp(num_hashes, F::kDescription.min_num_hashes, F::kDescription.max_num_hashes);
}

/// m cells and k for a filter of fixed size, as nearly as it takes them.
template <class F>
FilterSpec spec_near(std::uint64_t num_cells, unsigned num_hashes) {
  const unsigned k = hashes_near<F>(num_hashes);
  const unsigned cell_bits = F::geometry({.num_bits = 64, .num_hashes = k}).cell_bits;
  return {.num_bits = num_cells * cell_bits, .num_hashes = k};
}

template <class F>
Geometry geometry_near(std::uint64_t num_cells, unsigned num_hashes) {
  return F::geometry(spec_near<F>(num_cells, num_hashes));
}

/// A small filter for tests: sized for capacity keys at the rate. One that grows starts at an
/// eighth of them, so that it does.
template <class F>
FilterSpec small_spec(std::uint64_t capacity, double rate) {
  FilterSpec spec{.capacity = capacity, .target_false_positive_rate = rate};
  if constexpr (GrowingFilter<F>) spec.capacity = capacity / 8 + 1;
  return spec;
}

}  // namespace bloometry::test
