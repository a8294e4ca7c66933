#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// The rule by which a stream of bytes is divided into keys.
struct KeyFormat {
  enum class Kind {
    kLines,   ///< one key per line, without its LF or CR LF; an empty line is also a key
    kHex,     ///< as kLines, but a line contains the hexadecimal digits of the key
    kBase64,  ///< as kLines, but a line contains the key in base64
    kU32le,   ///< integers of 4 bytes, little-endian; a key has 4 bytes, little-endian
    kU32be,   ///< the same keys from big-endian integers
    kU64le,   ///< integers of 8 bytes, little-endian: IntegerKey
    kU64be,   ///< integers of 8 bytes, big-endian
    kCsv,     ///< one field of each row (RFC 4180); blank lines are not rows
  };

  Kind kind = Kind::kLines;
  std::string column_name{};  ///< kCsv: name of the column; empty if `column` gives its number
  std::uint64_t column = 0;   ///< kCsv: column number, from 1; the first row is then data
  /// Keys of kLines and kCsv are converted from UTF-8 to UTF-16, low byte first.
  bool has_utf16_keys = false;

  /// Returns the length of an integer in bytes, or 0 if the input is text.
  [[nodiscard]] std::size_t integer_bytes() const noexcept {
    if (kind == Kind::kU32le || kind == Kind::kU32be) return 4;
    return kind == Kind::kU64le || kind == Kind::kU64be ? 8 : 0;
  }

  /// Returns whether the input consists of integers and is not text.
  [[nodiscard]] bool is_binary() const noexcept { return integer_bytes() != 0; }

  [[nodiscard]] bool is_big_endian() const noexcept {
    return kind == Kind::kU32be || kind == Kind::kU64be;
  }

  /// Returns whether decode_keys() changes the keys.
  [[nodiscard]] bool is_encoded() const noexcept {
    return kind == Kind::kHex || kind == Kind::kBase64 || has_utf16_keys;
  }
};

/// Returns the name of a format. The name of kCsv is `csv`, without the column.
[[nodiscard]] std::string_view name_of(KeyFormat::Kind kind) noexcept;

/// Parses the name of a format: `lines`, `hex`, `base64`, `u32le`, `u32be`, `u64le`, `u64be` or
/// `csv:COLUMN`, where COLUMN is a name or a number from 1.
/// @throws ConfigError listing the allowed formats
[[nodiscard]] KeyFormat parse_key_format(std::string_view text);

}  // namespace bloometry
