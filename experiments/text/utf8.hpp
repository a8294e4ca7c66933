#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// A character of a text in UTF-8: its code point, and its length in bytes.
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

/// Returns the first character of a text that is not empty. The length of the result is 0 if the
/// text does not begin with well-formed UTF-8 (Unicode 15, table 3-7).
[[nodiscard]] Utf8Character first_utf8_character(std::string_view text) noexcept;

/// Returns whether the byte continues a character, so that it is not the first byte of one.
[[nodiscard]] constexpr bool is_utf8_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

/// Returns whether the code point is a character that UTF-8 can encode: at most 0x10ffff, and not a
/// surrogate.
[[nodiscard]] constexpr bool is_unicode_scalar(std::uint32_t code) noexcept {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/// Appends the character in UTF-8. is_unicode_scalar(code) must be true.
void append_utf8(std::string& text, std::uint32_t code);

}  // namespace bloometry
