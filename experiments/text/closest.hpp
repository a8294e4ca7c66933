#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the name that is most similar to a misspelt word, or nullopt. The result differs from
/// the word by the fewest inserted, omitted, replaced or swapped letters (Damerau 1964). The result
/// is nullopt if more than a third of the word's letters differ.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 std::span<const std::string> names);

}  // namespace bloometry
