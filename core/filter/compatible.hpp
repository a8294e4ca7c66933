#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace bloometry {

/// Checks, for an operation on two filters, that they agree in a field that decides where a key's
/// cells are or what they contain. Every field is checked before anything changes, so a refused
/// operation leaves both filters unchanged.
/// @throws ConfigError that names the field and both values.
inline void require_equal(std::string_view field, std::string_view here, std::string_view there) {
  if (here == there) return;
  throw ConfigError(std::string(field), "must be equal in both filters, got " + std::string(here) +
                                            " and " + std::string(there));
}

inline void require_equal(std::string_view field, std::uint64_t here, std::uint64_t there) {
  if (here != there) require_equal(field, std::to_string(here), std::to_string(there));
}

}  // namespace bloometry
