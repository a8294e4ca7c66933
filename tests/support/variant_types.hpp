#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/any_filter/any_filter.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry::test {

template <class... Fs>
std::tuple<Fs...> as_tuple(VariantList<Fs...>);

/// Every variant with its default scheme.
using Variants = decltype(as_tuple(AllVariants{}));

template <class F, class Probes>
auto with_first_and_last(std::type_identity<Probes>)
    -> std::conditional_t<std::tuple_size_v<Probes> == 1, std::tuple<F>,
                          std::tuple<F, typename F::template WithProbes<std::tuple_element_t<
                                            std::tuple_size_v<Probes> - 1, Probes>>>>;

template <class... Fs>
auto with_two_schemes(std::type_identity<std::tuple<Fs...>>) -> decltype(std::tuple_cat(
    with_first_and_last<Fs>(std::type_identity<typename Fs::SupportedProbes>{})...));

/// Every variant with its first and its last scheme, for tests of code that does not depend on the
/// scheme. Tests of every scheme use tests/support/variant_schemes.hpp.
using VariantsWithTwoSchemes = decltype(with_two_schemes(std::type_identity<Variants>{}));

template <class F>
struct IsBorrowing : std::bool_constant<BorrowingFilter<F>> {};

template <template <class> class Predicate, class... Fs>
auto those(std::type_identity<std::tuple<Fs...>>) -> decltype(std::tuple_cat(
    std::declval<std::conditional_t<Predicate<Fs>::value, std::tuple<Fs>, std::tuple<>>>()...));

/// The tuple of the types in `Types` that satisfy the predicate.
template <class Types, template <class> class Predicate>
using Those = decltype(those<Predicate>(std::type_identity<Types>{}));

/// Returns the number of hashes nearest to num_hashes that the filter accepts.
template <class F>
unsigned hashes_near(unsigned num_hashes) {
  return std::clamp(num_hashes, F::kDescription.min_num_hashes, F::kDescription.max_num_hashes);
}

/// Returns a spec of num_cells cells and the accepted number of hashes nearest to num_hashes.
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

/// Returns the spec of a small filter for tests, sized for `capacity` keys at the given rate. A
/// growing filter starts with an eighth of the capacity, so that the filter grows. A limited filter
/// is sized for most_keys, the number of keys that the test inserts, if this is larger.
template <class F>
FilterSpec small_spec(std::uint64_t capacity, double rate, std::uint64_t most_keys = 0) {
  FilterSpec spec{.capacity = capacity, .target_false_positive_rate = rate};
  if constexpr (LimitedFilter<F>) spec.capacity = std::max(capacity, most_keys);
  if constexpr (GrowingFilter<F>) spec.capacity = capacity / 8 + 1;
  return spec;
}

}  // namespace bloometry::test
