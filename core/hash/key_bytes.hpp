#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/hash/key_view.hpp"

namespace bloometry {

class KeyBytes;

/// A type for which a call of hash_append compiles. The function may be that of a base class, or of
/// a type to which T converts implicitly.
template <class T>
concept CallsHashAppend = requires(KeyBytes& key, const T& value) {
  hash_append(key, value);
};

/// Detects conversions. A function for exactly T is a better match than the function of this
/// namespace, or as good as it. A function for a base class of T, or for a type to which T
/// converts, is a worse match.
namespace key_detail::exact_match {

struct Converts {};

template <class T>
Converts hash_append(KeyBytes& key, const T& value);

template <class T>
concept NeedsConversion = requires(KeyBytes& key, const T& value) {
  { hash_append(key, value) } -> std::same_as<Converts>;
};

}  // namespace key_detail::exact_match

/// A type whose objects are keys, or fields of keys. The type's namespace contains the function
///
///     void hash_append(bloometry::KeyBytes& key, const T& value);
///
/// which appends the fields that identify the object. The function of a base class does not count,
/// because it would ignore the other fields. Pairs, tuples and optionals have this function. The
/// name is that of Hinnant, Falco, Bytheway (2014), "Types don't know #", N3980.
template <class T>
concept HasHashAppend = CallsHashAppend<T> && !key_detail::exact_match::NeedsConversion<T>;

namespace key_detail {

template <class T>
inline constexpr bool kHasFixedSize = std::is_bounded_array_v<T>;
template <class T, std::size_t kSize>
inline constexpr bool kHasFixedSize<std::array<T, kSize>> = true;
template <class T, std::size_t kSize>
inline constexpr bool kHasFixedSize<std::span<T, kSize>> = kSize != std::dynamic_extent;

template <class T>
concept Pointer = std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T>;

template <class T>
concept CharArray = std::is_array_v<T> && std::convertible_to<const T&, std::string_view>;

template <class T>
concept Text = std::convertible_to<const T&, std::string_view> && !Pointer<T> && !CharArray<T>;

/// A container whose order depends on its history, so that equal containers could have different
/// bytes.
template <class T>
concept Unordered = requires {
  typename T::hasher;
  typename T::key_equal;
};

/// A range with a known number of elements in a defined order. A path is a range of paths, and
/// therefore excluded.
template <class T>
concept Sequence =
    std::ranges::forward_range<const T> && std::ranges::sized_range<const T> && !Unordered<T> &&
    !CharArray<T> && !std::same_as<std::ranges::range_value_t<const T>, T>;

template <class T>
concept Byte = std::same_as<T, std::byte> ||(std::integral<T> && sizeof(T) == 1);

template <class T>
concept ByteSequence = Sequence<T> && std::ranges::contiguous_range<const T> &&
    Byte<std::ranges::range_value_t<const T>>;

/// A class whose call of hash_append converts the object, and would ignore its other fields.
template <class T>
concept HasConvertedHashAppend =
    std::is_class_v<T> && CallsHashAppend<T> && exact_match::NeedsConversion<T>;

/// Returns whether T is a type of the standard library, whose namespace must not be extended.
template <class T>
constexpr bool is_standard_type() noexcept {
  return std::string_view(__PRETTY_FUNCTION__).find("T = std::") != std::string_view::npos;
}

/// Fails to compile if T has a hash_append only by conversion.
template <class T>
constexpr void refuse_conversion() noexcept {
  static_assert(!HasConvertedHashAppend<T>,
                "this type has only the hash_append of its base, or of a type to which it "
                "converts, which would ignore its other fields: define hash_append for the type "
                "itself, or pass the converted object");
}

/// Fails to compile, with the reason why T is not a field. Each type has exactly one reason.
template <class T>
constexpr void refuse_field() noexcept {
  constexpr bool kIsField = false;
  if constexpr (Pointer<T>) {
    static_assert(kIsField && sizeof(T) > 0,
                  "a pointer is not a field of a key, because its value is an address: append the "
                  "object, or std::string_view(text) for a C string");
  } else if constexpr (CharArray<T>) {
    static_assert(kIsField && sizeof(T) > 0,
                  "an array of char may be text or bytes: append std::string_view(text), or "
                  "std::span(bytes) for all of its bytes");
  } else if constexpr (std::is_arithmetic_v<T>) {
    static_assert(kIsField && sizeof(T) > 0,
                  "a number is a field of a key only if it is an integer of at most 64 bits, a "
                  "float or a double: convert it to such a type");
  } else if constexpr (Unordered<T>) {
    static_assert(kIsField && sizeof(T) > 0,
                  "an unordered container is not a field of a key, because equal containers may "
                  "have different orders: append its sorted elements");
  } else if constexpr (is_standard_type<T>()) {
    static_assert(HasHashAppend<T>,
                  "this type of the standard library is not a field of a key: append values that "
                  "identify the object, such as duration.count(), path.native() or *pointer");
  } else {
    static_assert(HasHashAppend<T>,
                  "this type is not a field of a key: define `void hash_append("
                  "bloometry::KeyBytes& key, const T& value) { key.append(value.field, ...); }` in "
                  "the namespace of T");
  }
}

}  // namespace key_detail

/// The bytes of a key that consists of several fields. Keyed makes them from a struct through the
/// struct's function hash_append:
///
///     struct Visit {
///       std::string url;
///       std::uint32_t user;
///     };
///
///     inline void hash_append(bloometry::KeyBytes& key, const Visit& visit) {
///       key.append(visit.url, visit.user);
///     }
///
/// Equal sequences of fields have equal bytes on every machine and in every version of the library,
/// because files depend on the bytes. The fields are in the order of the calls:
///
/// - integers and enums: 8 bytes as in IntegerKey, whatever the width of the type; types of one
///   byte (bool, char, std::byte, std::uint8_t): this byte
/// - float and double: 8 bytes, the double in IEEE 754, little-endian. -0.0 is the same field as
///   0.0, and all NaNs are the same field.
/// - text, and ranges (vector, map, span): the number of characters or elements in 8 bytes,
///   followed by the characters or the elements. Thus ("ab", "c") and ("a", "bc") differ.
/// - std::array, arrays and spans of constant size: the elements
/// - a type with hash_append: the fields that this function appends
///
/// Keys of different types may have the same bytes. If one filter contains several types of keys,
/// append a different number in each of their functions first. A key of up to kInlineBytes bytes
/// does not allocate memory. Functions are always inlined, because the linker must not use a copy
/// that was compiled for another instruction set (core/isa/compiled_isa.hpp).
class KeyBytes {
 public:
  static constexpr std::size_t kInlineBytes = 256;

  // The array of bytes is not initialised, which would need more time than most hashes.
  [[gnu::always_inline]] KeyBytes() noexcept {}

  KeyBytes(const KeyBytes&) = delete;
  KeyBytes& operator=(const KeyBytes&) = delete;

  /// Appends the fields in the order of the arguments. A field of another type does not compile.
  /// @throws std::bad_alloc if the key has more than kInlineBytes bytes and the memory for it could
  /// not be allocated.
  template <class... Fields>
  [[gnu::always_inline]] void append(const Fields&... fields) {
    (append_field(fields), ...);
  }

  /// Appends the bytes of an object as they are in memory, as one field of constant size. Objects
  /// with padding or floating-point numbers do not compile, because equal objects may have
  /// different bytes. The compiler cannot detect a pointer inside the object, whose address must
  /// not become part of a key. Integers inside it have the machine's byte order, and the widths of
  /// their types; append() does not depend on them.
  /// @throws std::bad_alloc under the conditions of append()
  template <class T>
  [[gnu::always_inline]] void append_bytes_of(const T& object) {
    static_assert(std::is_trivially_copyable_v<T> && !key_detail::Pointer<T>,
                  "append_bytes_of() needs an object without pointers that can be copied as bytes: "
                  "append its fields instead");
    static_assert(std::has_unique_object_representations_v<T>,
                  "append_bytes_of() needs an object without padding and without floating-point "
                  "numbers, because equal objects may have different bytes otherwise: append its "
                  "fields instead");
    append_bytes(reinterpret_cast<const char*>(&object), sizeof object);
  }

  /// Returns the bytes. The view is valid until the next call of append() or append_bytes_of().
  [[nodiscard, gnu::always_inline]] KeyView view() const noexcept {
    return std::string_view(data(), size_);
  }

 private:
  template <class T>
  [[gnu::always_inline]] void append_field(const T& field) {
    if constexpr (HasHashAppend<T>) {
      hash_append(*this, field);
    } else if constexpr (key_detail::HasConvertedHashAppend<T>) {
      key_detail::refuse_conversion<T>();
    } else if constexpr (std::is_enum_v<T>) {
      append_field(static_cast<std::underlying_type_t<T>>(field));
    } else if constexpr (key_detail::Byte<T>) {
      append_bytes(reinterpret_cast<const char*>(&field), 1);
    } else if constexpr (std::integral<T> && sizeof(T) <= sizeof(std::uint64_t)) {
      append_word(static_cast<std::uint64_t>(field));
    } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
      append_real(field);
    } else if constexpr (key_detail::Text<T>) {
      append_text(field);
    } else if constexpr (key_detail::Sequence<T>) {
      append_range(field);
    } else {
      key_detail::refuse_field<T>();
    }
  }

  [[gnu::always_inline]] void append_word(std::uint64_t word) {
    append_bytes(IntegerKey(word).view().data(), sizeof word);
  }

  // The bits decide, because a compiler with -ffast-math assumes that NaN does not occur.
  [[gnu::always_inline]] void append_real(double value) {
    static_assert(std::numeric_limits<double>::is_iec559);
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    constexpr std::uint64_t kInfinity = 0x7ff0000000000000;
    constexpr std::uint64_t kNan = 0x7ff8000000000000;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~kSign;
    append_word(magnitude == 0 ? 0 : magnitude > kInfinity ? kNan : bits);
  }

  [[gnu::always_inline]] void append_text(std::string_view text) {
    append_word(text.size());
    append_bytes(text.data(), text.size());
  }

  template <class Range>
  [[gnu::always_inline]] void append_range(const Range& range) {
    if constexpr (!key_detail::kHasFixedSize<Range>) append_word(std::ranges::size(range));
    if constexpr (key_detail::ByteSequence<Range>) {
      append_bytes(reinterpret_cast<const char*>(std::ranges::data(range)),
                   std::ranges::size(range));
    } else {
      using Element = std::ranges::range_value_t<const Range>;
      for (auto&& element : range) append_field(static_cast<const Element&>(element));
    }
  }

  [[gnu::always_inline]] void append_bytes(const char* bytes, std::size_t size) {
    if (size > capacity_ - size_) [[unlikely]]
      grow(size);
    // The arguments of memcpy must not be null, and an empty range may have a null address.
    if (size > 0) std::memcpy(heap_ ? heap_.get() + size_ : inline_.data() + size_, bytes, size);
    size_ += size;
  }

  /// Makes room for `size` more bytes, and at least doubles the capacity.
  void grow(std::size_t size);

  [[nodiscard, gnu::always_inline]] const char* data() const noexcept {
    return heap_ ? heap_.get() : inline_.data();
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = kInlineBytes;
  std::unique_ptr<char[]> heap_;  ///< null if the bytes are in inline_
  std::array<char, kInlineBytes> inline_;
};

/// Appends both elements.
template <class First, class Second>
[[gnu::always_inline]] inline void hash_append(KeyBytes& key,
                                               const std::pair<First, Second>& pair) {
  key.append(pair.first, pair.second);
}

/// Appends the elements in their order.
template <class... Elements>
[[gnu::always_inline]] inline void hash_append(KeyBytes& key, const std::tuple<Elements...>& all) {
  std::apply([&](const Elements&... elements) { key.append(elements...); }, all);
}

/// Appends the byte 0 for an empty optional, otherwise the byte 1 and the value.
template <class T>
[[gnu::always_inline]] inline void hash_append(KeyBytes& key, const std::optional<T>& value) {
  key.append(value.has_value());
  if (value) key.append(*value);
}

}  // namespace bloometry
