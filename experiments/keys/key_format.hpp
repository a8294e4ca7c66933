#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// The rule by which a stream of bytes is divided into keys.
struct KeyFormat {
  enum class Kind {
    kLines,  ///< one key per line, without its LF or CR LF; an empty line is also a key
    kU64le,  ///< integers of 8 bytes, little-endian: IntegerKey
    kU64be,  ///< integers of 8 bytes, big-endian
    kCsv,    ///< one field of each row (RFC 4180); blank lines are not rows
  };

  /// Length of a key of kU64le and kU64be.
  static constexpr std::size_t kIntegerBytes = 8;

  Kind kind = Kind::kLines;
  std::string column_name{};  ///< kCsv: name of the column; empty if `column` gives its number
  std::uint64_t column = 0;   ///< kCsv: column number, from 1; the first row is then data

  /// Returns whether all keys have 8 bytes.
  [[nodiscard]] bool is_binary() const noexcept {
    return kind == Kind::kU64le || kind == Kind::kU64be;
  }
};

/// Parses the name of a format: `lines`, `u64le`, `u64be` or `csv:COLUMN`, where COLUMN is a name
/// or a number from 1. @throws ConfigError listing the allowed formats
[[nodiscard]] KeyFormat parse_key_format(std::string_view text);

}  // namespace bloometry
