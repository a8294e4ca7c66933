#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/hash/digest.hpp"
#include "core/hash/key_view.hpp"

namespace bloometry {

/// A signed integer of 4 or 8 bytes, which corresponds to an int or a long of Java. The concept
/// excludes bool and character types, because Java's funnels do not accept these types as numbers.
template <class T>
concept JavaInteger = std::signed_integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8) &&
                      !std::same_as<std::remove_cv_t<T>, wchar_t>;

/// A key of a GuavaFilter. The object holds the murmur3 x64 128 digest of the bytes that Guava's
/// funnel produces. The C++ type of the key determines the funnel:
///
///     text, bytes           the bytes as they are: byteArrayFunnel, stringFunnel(UTF_8)
///     std::u16string_view   UTF-16 code units, little-endian: unencodedCharsFunnel
///     4-byte signed integer the value, little-endian: integerFunnel
///     8-byte signed integer the value, little-endian: longFunnel
///
/// A file of Guava does not name the funnel. With the wrong funnel, the filter reports members as
/// absent.
class GuavaKey {
 public:
  // The constructors are implicit, so that insert and contains accept a plain value.
  template <std::convertible_to<std::string_view> Text>
  GuavaKey(const Text& utf8) noexcept : GuavaKey(Bytes{KeyView(utf8)}) {}

  GuavaKey(std::span<const std::byte> bytes) noexcept : GuavaKey(Bytes{KeyView(bytes)}) {}

  template <std::convertible_to<std::u16string_view> Text>
  GuavaKey(const Text& chars) : digest_(digest_of_chars(chars)) {}

  template <JavaInteger Integer>
  GuavaKey(Integer value) noexcept
      : digest_(digest_of_integer(static_cast<std::int64_t>(value), sizeof value)) {}

  [[nodiscard]] const Digest& digest() const noexcept { return digest_; }

 private:
  struct Bytes {
    KeyView view;
  };

  explicit GuavaKey(Bytes bytes) noexcept;

  static Digest digest_of_chars(std::u16string_view chars);
  static Digest digest_of_integer(std::int64_t value, std::size_t num_bytes) noexcept;

  Digest digest_;
};

}  // namespace bloometry
