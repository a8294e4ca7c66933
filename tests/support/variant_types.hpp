#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

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

/// A small filter for tests: sized for capacity keys at the rate. One that grows starts at an
/// eighth of them, so that it does.
template <class F>
FilterSpec small_spec(std::uint64_t capacity, double rate) {
  FilterSpec spec{.capacity = capacity, .target_false_positive_rate = rate};
  if constexpr (GrowingFilter<F>) spec.capacity = capacity / 8 + 1;
  return spec;
}

}  // namespace bloometry::test
