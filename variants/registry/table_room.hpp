#pragma once

#include <cstdint>
#include <string>

#include "variants/registry/registry.hpp"

/// The keys for which limited filters have room. A table of fingerprints stores different
/// fingerprints in different cells. With more keys than cells, it therefore refuses keys, and the
/// rate is at most that of full cells.
namespace bloometry {

/// Returns whether the filter has a cell for each of num_keys keys, after the doublings that they
/// cause. Filters that are not limited have room for any number of keys. A table with a cell for
/// each key may still refuse a key (Theory<F>::refused_inserts).
/// @throws ConfigError if the spec is not valid.
[[nodiscard]] bool has_room(const VariantInfo& variant, const FilterSpec& spec,
                            std::uint64_t num_keys);

/// Returns the reason for keys without room: "a table of 64 cells does not have room for n keys".
[[nodiscard]] std::string no_room_text(const VariantInfo& variant, const FilterSpec& spec,
                                       std::uint64_t num_keys);

}  // namespace bloometry
