#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// A function that writes the num_hashes positions of each digest, in the order of the digests.
/// @param positions has digests.size() * num_hashes elements
using WritePositions = void (*)(const Geometry& geometry, std::span<const Digest> digests,
                                std::uint64_t* positions);

/// Returns the function that computes the positions for a variant whose cells are one array of
/// bits. The returned function computes positions for a filter outside this process.
/// @throws ConfigError if the variant is not standard, partitioned, blocked, split_block or lanes,
/// or if the variant does not support the scheme.
[[nodiscard]] WritePositions positions_of_variant(std::string_view variant,
                                                  std::string_view probes);

}  // namespace bloometry
