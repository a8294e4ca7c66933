#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/filter_files/filter_facts.hpp"

/// The warning about filters that contain more keys than their capacity. A filter that forgets is
/// compared by its newest generation and the inserts that a generation is sized for.
namespace bloometry {

/// Returns the sum, or nullopt if a number is absent or the sum exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> sum_of(const std::optional<std::uint64_t>& a,
                                                  const std::optional<std::uint64_t>& b);

/// Returns the number of distinct keys for which the filter is sized. A file without a capacity is
/// sized for the most keys for which its program computes its k. Absent for filters that grow or
/// forget, and if k does not depend on the capacity.
[[nodiscard]] std::optional<std::uint64_t> largest_capacity(const FilterFacts& facts);

/// Returns how many generations of which a filter that forgets has cells have received more inserts
/// than they are sized for.
[[nodiscard]] std::uint64_t num_overfull_generations(const FilterFacts& facts);

/// Returns whether the filter contains more keys than its capacity. The number of keys is the
/// estimate from the cells, and at most `most_keys`. An excess that chance explains does not count
/// (5 standard deviations). A filter that forgets contains too many keys if one of its
/// generations does.
[[nodiscard]] bool is_overfull(const FilterFacts& facts, std::optional<std::uint64_t> most_keys);

/// Prints a warning if the filter contains more keys than its capacity. The number of keys is the
/// estimate from the cells, and at most `most_keys`. Prints nothing if it is unknown, or if chance
/// explains the excess of the estimate (5 standard deviations).
void warn_of_held_keys(const FilterFacts& facts, std::optional<std::uint64_t> most_keys);

/// Prints a warning with the filter's rate if the filter contains more keys than its capacity. A
/// file without a capacity is compared with the most keys for which its program computes its k.
/// @param keys_are beginning of the sentence, such as "about 9 keys are in"
void warn_of_overfill(const FilterFacts& facts, std::uint64_t num_keys,
                      const std::string& keys_are);

}  // namespace bloometry
