#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace bloometry {

/// The check at the door of every operation on two filters: they must agree in whatever decides
/// where a key's cells are and what is in them. Called for every field before anything is changed,
/// so that a refused operation leaves both filters as they were.
/// @throws ConfigError naming the field and both values.
inline void require_equal(std::string_view field, std::string_view here, std::string_view there) {
  if (here == there) return;
  throw ConfigError(std::string(field), "must be equal in both filters, got " + std::string(here) +
                                            " and " + std::string(there));
}

inline void require_equal(std::string_view field, std::uint64_t here, std::uint64_t there) {
  if (here != there) require_equal(field, std::to_string(here), std::to_string(there));
}

}  // namespace bloometry
