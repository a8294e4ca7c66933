#pragma once

#include <cstdint>
#include <optional>

#include "core/any_filter/variant_info.hpp"
#include "core/contract/filter_spec.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// How long a filter that forgets contains a key, in rotations after the last insert of the key.
struct KeyLifetime {
  /// g: inserts cause a rotation before insert g + 1 of a generation. Absent if only ticks do.
  std::optional<std::uint64_t> generation_capacity{};
  std::uint64_t num_found = 0;  ///< the filter contains the key for up to this many rotations
  std::uint64_t num_gone = 0;   ///< from this many rotations on, no cell depends on the key
};

/// Returns the lifetime of keys in a filter of the variant, or nullopt if the filter does not
/// forget. The filter clears the cells of a key with the rotation after the last one of its window.
/// A variant that leaves_traces writes a key into num_hashes consecutive generations, and clears
/// the last of its cells num_hashes - 1 rotations later (Shtul, Baquero and Almeida 2020).
/// @throws ConfigError if the spec is not valid
[[nodiscard]] std::optional<KeyLifetime> lifetime_of(const VariantInfo& variant,
                                                     const FilterSpec& spec);

/// As above, for a filter with this window.
[[nodiscard]] KeyLifetime lifetime_of(const Window& window, bool leaves_traces,
                                      unsigned num_hashes) noexcept;

/// Returns the number of keys that the filter holds at most after num_items items of the stream. In
/// a filter that forgets, these are the keys that fill all generations of which it has cells.
/// @throws ConfigError if the spec is not valid
[[nodiscard]] std::uint64_t most_keys_of(const ItemStream& stream, const VariantInfo& variant,
                                         const FilterSpec& spec, std::uint64_t num_items);

}  // namespace bloometry
