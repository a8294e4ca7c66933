#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// The encoding of a text of keys.
enum class TextEncoding {
  kAuto,   ///< recognised from the first bytes of each file
  kBytes,  ///< bytes that are not decoded
  kUtf8,
  kUtf16le,
  kUtf16be,
  kUtf32le,
  kUtf32be,
};

/// Parses the name of an encoding: auto, bytes, utf-8, utf-16le, utf-16be, utf-32le or utf-32be.
/// @throws ConfigError listing the names
[[nodiscard]] TextEncoding parse_text_encoding(std::string_view name);

[[nodiscard]] std::string_view name_of(TextEncoding encoding) noexcept;

/// Returns the length of a code unit in bytes: 1, 2 or 4.
[[nodiscard]] std::size_t unit_bytes(TextEncoding encoding) noexcept;

/// Returns the code unit of UTF-16 or UTF-32 whose bytes begin at `bytes`.
[[nodiscard]] std::uint32_t code_unit(TextEncoding encoding, const char* bytes) noexcept;

/// Returns the byte order mark of UTF-8, UTF-16 or UTF-32.
[[nodiscard]] std::string_view byte_order_mark(TextEncoding encoding) noexcept;

/// An encoding that was recognised.
struct FoundEncoding {
  TextEncoding encoding = TextEncoding::kBytes;
  bool has_mark = false;
};

/// Number of first bytes from which an encoding is recognised.
inline constexpr std::size_t kEncodingWindow = 4096;

/// Recognises the encoding of a text from its first bytes: at least kEncodingWindow bytes, or all
/// bytes that are available. Without a byte order mark, the encoding is UTF-16 or UTF-32 only if
/// both conditions hold, and otherwise kBytes:
/// - The text has at least two code units, which are whole characters. Tabs and line ends are the
///   only control characters.
/// - In UTF-16, at least three quarters of the code units are below 256. Other text in UTF-16 is
///   not recognised, because lines of bytes that contain NUL may look like such text.
[[nodiscard]] FoundEncoding find_encoding(std::string_view start) noexcept;

}  // namespace bloometry
