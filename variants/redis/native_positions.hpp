#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "core/hash/digest.hpp"

namespace bloometry {

/// A function that writes the num_hashes positions of each digest, in the order of the digests.
/// @param positions has digests.size() * num_hashes elements
using WritePositions = void (*)(const Geometry& geometry, std::span<const Digest> digests,
                                std::uint64_t* positions);

/// Returns the names of the variants whose cells are one array of bits, and whose queries need only
/// these bits and the positions of the key.
[[nodiscard]] std::vector<std::string_view> variants_of_bits();

/// Returns the function that computes the positions for a variant whose cells are one array of
/// bits. The returned function computes positions for a filter outside this process.
/// @throws ConfigError if the variant is not one of variants_of_bits(), or does not support the
/// scheme.
[[nodiscard]] WritePositions positions_of_variant(std::string_view variant,
                                                  std::string_view probes);

}  // namespace bloometry
