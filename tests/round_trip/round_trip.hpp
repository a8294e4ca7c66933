#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/support/variant_schemes.hpp"

namespace bloometry::test {

struct RoundTripResult {
  std::uint64_t num_stages = 0;  ///< number of stages of the filter, 1 if it does not grow
  bool was_refused = false;      ///< whether the filter refused an insert
  std::string failure{};         ///< error message, or empty if all requirements hold
};

/// Draws a filter of the scheme, inserts keys, and checks its files in an existing folder. The
/// filter depends only on the seed and the number.
[[nodiscard]] RoundTripResult run_round_trip(const VariantScheme& scheme, std::uint64_t seed,
                                             std::uint64_t number,
                                             const std::filesystem::path& folder);

}  // namespace bloometry::test
