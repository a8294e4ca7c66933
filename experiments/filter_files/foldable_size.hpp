#pragma once

#include <cstdint>

#include "core/any_filter/variant_info.hpp"
#include "core/contract/filter_spec.hpp"

namespace bloometry {

/// A size with many divisors, by which the filter can be folded.
struct FoldableSize {
  FilterSpec spec{};
  std::uint64_t num_bits = 0;       ///< memory of the filter
  std::uint64_t num_more_bits = 0;  ///< memory in addition to that of the given spec
  std::uint64_t num_divisors = 0;   ///< divisors that fold() accepts, including 1
};

/// Returns the number of cells that a fold keeps together: a block, or a cell of each slice.
[[nodiscard]] std::uint64_t fold_unit(const SchemeInfo& scheme, const Geometry& geometry) noexcept;

/// Rounds the size of a filter up by at most 1/64, or by one cell or block, to the size with the
/// most divisors. The size is a multiple of a power of two with a quotient below 1040, so that the
/// size of twice the keys has the same odd divisors. k does not change.
/// @throws ConfigError naming `foldable` if a filter with the scheme cannot be folded.
[[nodiscard]] FoldableSize foldable_size(const VariantInfo& variant, const SchemeInfo& scheme,
                                         const FilterSpec& spec);

}  // namespace bloometry
