#include "core/file/filter_image.hpp"

#include <optional>

#include "core/text.hpp"

namespace bloometry::file_detail {
namespace {

struct GeometryField {
  const char* name;
  std::uint64_t wanted;
  std::uint64_t found;
};

std::string max_fill_text(const std::optional<double>& max_fill) {
  return max_fill ? shortest_text(*max_fill) : "absent";
}

}  // namespace

std::string geometry_difference(std::string_view variant, const Geometry& wanted,
                                const Geometry& found) {
  const auto message = [&](const char* name, const std::string& allowed, const std::string& value) {
    return std::string(name) + " must be " + allowed + " for " + std::string(variant) + ", got " +
           value;
  };
  const std::array<GeometryField, 4> fields = {
      {{"num_cells", wanted.num_cells, found.num_cells},
       {"cell_bits", wanted.cell_bits, found.cell_bits},
       {"num_hashes", wanted.num_hashes, found.num_hashes},
       {"block_cells", wanted.block_cells, found.block_cells}}};
  for (const GeometryField& field : fields) {
    if (field.wanted != field.found) {
      return message(field.name, std::to_string(field.wanted), std::to_string(field.found));
    }
  }
  return message("max_fill", max_fill_text(wanted.max_fill), max_fill_text(found.max_fill));
}

}  // namespace bloometry::file_detail
