#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// How the bytes of a stream are cut into keys.
struct KeyFormat {
  enum class Kind {
    kLines,  ///< a key a line, without LF and a CR before it; the empty line is a key
    kU64le,  ///< integers of 8 bytes, little-endian: IntegerKey
    kU64be,  ///< the same, big-endian
    kCsv,    ///< a field of each row (RFC 4180); blank lines are no rows
  };

  Kind kind = Kind::kLines;
  std::string column_name{};  ///< kCsv: as the first row names it; empty: by number
  std::uint64_t column = 0;   ///< kCsv: from 1, if it is not named; there is no row of names then

  /// Whether all keys have 8 bytes.
  [[nodiscard]] bool is_binary() const noexcept {
    return kind == Kind::kU64le || kind == Kind::kU64be;
  }
};

/// Reads `lines`, `u64le`, `u64be` or `csv:COLUMN`, a name or a number from 1.
/// @throws ConfigError that lists them.
[[nodiscard]] KeyFormat parse_key_format(std::string_view text);

}  // namespace bloometry
