#include "core/file/filter_image.hpp"

#include <array>
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

/// Returns an error message that names the first field in which two geometries differ: `wanted`,
/// which the variant has, and `found`, which is in a file.
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

std::string geometry_mismatch(const FileHeader& header, const StoredClass& stored,
                              std::uint64_t payload_bytes) {
  // Sizes that are too large for the payload could overflow in the following computations.
  const auto [num_cells, cell_bits, num_hashes, block_cells, max_fill] = header.geometry;
  if (num_cells / 8 > payload_bytes) {
    return "num_cells must be at most 8 times its " + std::to_string(payload_bytes) +
           " bytes of cells, got " + std::to_string(num_cells);
  }
  if (cell_bits > 64) return "cell_bits must be at most 64, got " + std::to_string(cell_bits);
  if (block_cells == 0) return "block_cells must be at least 1, got 0";
  try {
    const Geometry geometry = stored.geometry(spec_of(header, stored.sized_by_counters));
    if (geometry != header.geometry)
      return geometry_difference(stored.variant, geometry, header.geometry);
    const std::array<std::uint64_t, 1> num_words = {stored.num_words_for(geometry)};
    if (payload_bytes_of(num_words) != payload_bytes) {
      return "its " + std::to_string(num_cells) + " cells must have " +
             std::to_string(payload_bytes_of(num_words)) + " bytes, got " +
             std::to_string(payload_bytes);
    }
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

void set_names(FileHeader& header, std::string_view variant, std::string_view probes) {
  header.variant = variant;
  header.probes = probes;
}

std::string name_mismatch(const FileHeader& header, std::string_view variant,
                          std::string_view probes) {
  if (header.variant != variant) {
    return "its variant must be " + std::string(variant) + ", got " + header.variant;
  }
  if (header.probes != probes) {
    return "its probes must be " + std::string(probes) + ", got " + header.probes;
  }
  return {};
}

FilterSpec spec_of(const FileHeader& header, bool sized_by_counters) {
  const Geometry& geometry = header.geometry;
  FilterSpec spec{
      .num_hashes = geometry.num_hashes, .params = header.params, .max_fill = geometry.max_fill};
  if (geometry.block_cells > 1) {
    spec.num_blocks = geometry.num_cells / geometry.block_cells;
  } else if (sized_by_counters) {
    spec.num_counters = geometry.num_cells;
  } else {
    spec.num_bits = geometry.num_cells;
  }
  return spec;
}

std::string class_mismatch(const FileHeader& header, const StoredClass& stored,
                           std::uint64_t payload_bytes) {
  std::string mismatch = name_mismatch(header, stored.variant, stored.probes);
  if (mismatch.empty()) mismatch = geometry_mismatch(header, stored, payload_bytes);
  return mismatch;
}

}  // namespace bloometry::file_detail
