#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {

/// The text of the keys that a subject gets, one line each, all different: a seeded 64-bit
/// bijection of the item number (workload/synthetic_keys.hpp), so that members and queries are
/// disjoint by construction.
enum class KeyForm {
  kHex,      ///< 16 digits 0-9a-f
  kDecimal,  ///< 1 to 20 digits
  kBytes,    ///< 10 bytes from 0x80 to 0xff, 7 bits each: no text in any encoding
};

/// @throws ConfigError unless text is hex, decimal or bytes.
[[nodiscard]] KeyForm parse_key_form(std::string_view text);

class SubjectKeys {
 public:
  SubjectKeys(KeyForm form, std::uint64_t seed);

  /// Adds the key of that item and a line feed.
  void append(std::uint64_t item, std::string& lines) const;

 private:
  KeyForm form_;
  RandomKeys values_;
};

}  // namespace bloometry
