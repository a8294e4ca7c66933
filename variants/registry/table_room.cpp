#include "variants/registry/table_room.hpp"

namespace bloometry {

bool has_room(const VariantInfo& variant, const FilterSpec& spec, std::uint64_t num_keys) {
  return !variant.is_limited || num_keys <= variant.geometry_at(spec, num_keys).num_cells;
}

std::string no_room_text(const VariantInfo& variant, const FilterSpec& spec,
                         std::uint64_t num_keys) {
  return "a table of " + std::to_string(variant.geometry_at(spec, num_keys).num_cells) +
         " cells does not have room for n keys";
}

}  // namespace bloometry
