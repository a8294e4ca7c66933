#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// Writes the num_hashes cells of each digest, one digest after the other. @param positions has
/// digests.size() num_hashes elements
using WritePositions = void (*)(const Geometry& geometry, std::span<const Digest> digests,
                                std::uint64_t* positions);

/// Where the keys of a variant of bits are, of a filter that is not in this process.
/// @throws ConfigError if there is no such variant of bits or scheme.
[[nodiscard]] WritePositions positions_of_variant(std::string_view variant,
                                                  std::string_view probes);

}  // namespace bloometry
