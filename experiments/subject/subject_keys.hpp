#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "experiments/workload/integer_source.hpp"

namespace bloometry {

/// The text form of the 64-bit number of a key.
enum class KeyEncoding {
  kHex,      ///< 16 digits 0-9a-f
  kDecimal,  ///< 1 to 20 decimal digits
  kBytes,    ///< 10 bytes from 0x80 to 0xff with 7 bits each; not valid UTF-8
};

/// Returns the encoding with the given name. Throws ConfigError unless the name is hex, decimal or
/// bytes.
[[nodiscard]] KeyEncoding parse_key_encoding(std::string_view text);

/// The key lines that a subject receives, one line per key. A key is a function of the item number
/// (experiments/workload/synthetic_keys.hpp). Distinct items give distinct keys, so that members
/// and queries are disjoint. Another seed gives another bijection for random keys, and other trials
/// for the other sources.
class SubjectKeys {
 public:
  /// Throws ConfigError unless the source is one of integer_sources().
  SubjectKeys(std::string_view source, KeyEncoding encoding, std::uint64_t seed);

  /// Appends the key of the given item, followed by a line feed.
  void append(std::uint64_t item, std::string& lines) const;

 private:
  [[nodiscard]] std::uint64_t value(std::uint64_t item) const noexcept;

  KeyEncoding encoding_;
  IntegerSource source_;
  std::uint64_t first_item_;  // first item of the first trial
};

}  // namespace bloometry
