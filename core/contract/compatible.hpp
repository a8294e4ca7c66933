#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace bloometry {

/// Checks that two filters have equal values in a field that determines the positions or the
/// contents of a key's cells. An operation on two filters checks every field before it changes a
/// filter, so an operation that throws leaves both filters unchanged.
/// @throws ConfigError, which names the field and both values, if the values differ.
inline void require_equal(std::string_view field, std::string_view here, std::string_view there) {
  if (here == there) return;
  throw ConfigError(std::string(field), "must be equal in both filters, got " + std::string(here) +
                                            " and " + std::string(there));
}

inline void require_equal(std::string_view field, std::uint64_t here, std::uint64_t there) {
  if (here != there) require_equal(field, std::to_string(here), std::to_string(there));
}

}  // namespace bloometry
