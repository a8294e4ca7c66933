#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {

/// The text of the 64-bit number of a key.
enum class KeyEncoding {
  kHex,      ///< 16 digits 0-9a-f
  kDecimal,  ///< 1 to 20 digits
  kBytes,    ///< 10 bytes from 0x80 to 0xff, 7 bits each: not valid text
};

/// Parses an encoding. @throws ConfigError unless text is hex, decimal or bytes.
[[nodiscard]] KeyEncoding parse_key_encoding(std::string_view text);

/// Returns the sources of keys: random, sequential and those of workload/key_patterns.hpp.
[[nodiscard]] std::vector<std::string> subject_key_sources();

/// The text of the keys that a subject gets, one line each, all different: a function of the item
/// number (workload/synthetic_keys.hpp) that gives distinct numbers for distinct items, so that
/// members and queries are disjoint. Another seed is another bijection for random keys, and other
/// trials for the others.
class SubjectKeys {
 public:
  /// @throws ConfigError unless source is one of subject_key_sources().
  SubjectKeys(std::string_view source, KeyEncoding encoding, std::uint64_t seed);

  /// Appends the key of that item and a line feed.
  void append(std::uint64_t item, std::string& lines) const;

 private:
  [[nodiscard]] std::uint64_t value(std::uint64_t item) const noexcept;

  KeyEncoding encoding_;
  RandomKeys random_;
  std::uint64_t (*pattern_)(std::uint64_t item) = nullptr;  // null: random_
  std::uint64_t first_trial_;                               // of pattern_, at its place in an item
};

}  // namespace bloometry
