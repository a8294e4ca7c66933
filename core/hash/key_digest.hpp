#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>

#include "core/hash/digest.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/key_bytes.hpp"
#include "core/hash/key_range.hpp"
#include "core/hash/key_view.hpp"

namespace bloometry {

/// An integer that is a key. A bool is not, because it is more often a mistake.
template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

/// An argument that is neither text, bytes, an integer nor a batch: a key with the function
/// hash_append, or a type that is not a key. digest_of() reports the latter by one error.
template <class T>
concept StructKey = HasHashAppend<T> || key_detail::HasConvertedHashAppend<T> ||
    !(std::convertible_to<const T&, KeyView> || WholeNumber<T> || KeyRange<T>);

namespace key_detail {

template <class T>
constexpr void refuse_batch() noexcept {
  static_assert(KeyRange<T>,
                "a batch of keys must be a contiguous range of std::uint64_t, of strings or of a "
                "type with hash_append(bloometry::KeyBytes&, const T&); pass "
                "std::span<const std::byte>(bytes) for one key of bytes");
}

/// Fails to compile, with the reason why T is not a key. Each type has exactly one reason.
template <class T>
constexpr void refuse_key() noexcept {
  constexpr bool kIsKey = false;
  if constexpr (Pointer<T>) {
    static_assert(kIsKey && sizeof(T) > 0,
                  "a pointer is not a key, because its value is an address: pass the object");
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    static_assert(kIsKey && sizeof(T) > 0,
                  "a bool, an enum or a floating-point number is not a key: convert it to an "
                  "integer, or make it a field of a struct with hash_append");
  } else if constexpr (std::ranges::range<const T>) {
    refuse_batch<T>();
  } else if constexpr (is_standard_type<T>()) {
    static_assert(
        HasHashAppend<T>,
        "this type of the standard library is not a key: pass a value that identifies the "
        "object, such as duration.count(), path.native() or *pointer");
  } else {
    static_assert(HasHashAppend<T>,
                  "this type is not a key: define `void hash_append(bloometry::KeyBytes& key, "
                  "const T& value) { key.append(value.field, ...); }` in the namespace of T");
  }
}

}  // namespace key_detail

/// Returns the digest of a key: text, bytes, an integer, or a type with hash_append. Keyed and its
/// batches hash keys by this function; use it for a filter of digests, such as AnyFilter.
template <Hasher H, class Key>
[[nodiscard, gnu::always_inline]] inline Digest digest_of(const H& hasher, const Key& key) {
  if constexpr (HasHashAppend<Key>) {
    KeyBytes bytes;
    hash_append(bytes, key);
    return hasher(bytes.view());
  } else if constexpr (key_detail::HasConvertedHashAppend<Key>) {
    key_detail::refuse_conversion<Key>();
    return {};
  } else if constexpr (std::convertible_to<const Key&, KeyView>) {
    return hasher(key);
  } else if constexpr (WholeNumber<Key>) {
    return hasher(IntegerKey(key).view());
  } else {
    key_detail::refuse_key<Key>();
    return {};
  }
}

}  // namespace bloometry
