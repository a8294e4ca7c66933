#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>
#include <span>

#include "core/hash/key_bytes.hpp"
#include "core/hash/key_view.hpp"

namespace bloometry {

/// Contiguous range of keys, such as a vector, an array or a span. The type of the elements is
/// std::uint64_t, a type that converts to KeyView (std::string, std::string_view, const char*), or
/// a type with the function hash_append. A string is one key and not a range of characters, and so
/// is a range that has the function hash_append itself.
template <class R>
concept KeyRange = std::ranges::contiguous_range<const R> && std::ranges::sized_range<const R> &&
                   !std::convertible_to<const R&, KeyView> &&
                   !HasHashAppend<R> &&
                   (std::same_as<std::ranges::range_value_t<R>, std::uint64_t> ||
                    std::convertible_to<const std::ranges::range_value_t<R>&, KeyView> ||
                    HasHashAppend<std::ranges::range_value_t<R>>);

/// Returns the keys of a range as a span.
template <KeyRange R>
[[nodiscard]] std::span<const std::ranges::range_value_t<R>> span_of(const R& keys) noexcept {
  return {std::ranges::data(keys), std::ranges::size(keys)};
}

}  // namespace bloometry
