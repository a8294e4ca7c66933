#pragma once

#include <cstdint>
#include <optional>

#include "core/contract/filter_spec.hpp"
#include "tests/differential/random.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry::test {

/// A spec for a scheme, and the number of keys that the filter receives.
struct DrawnFilter {
  FilterSpec spec;
  std::uint64_t num_keys = 0;
};

/// Draws a spec that the variant accepts. The specs include extreme rates, filters of a few cells,
/// and growing filters with a stage per key.
[[nodiscard]] DrawnFilter draw_filter(const VariantScheme& scheme, Random& random);

/// Returns the memory of stage `index` of a growing filter in bits, or nullopt if the filter cannot
/// have this stage.
[[nodiscard]] std::optional<std::uint64_t> bits_of_stage(const FilterSpec& spec,
                                                         std::uint64_t index);

}  // namespace bloometry::test
