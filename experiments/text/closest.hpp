#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the name that a misspelt word most likely means. It differs from the word by the fewest
/// inserted, omitted, replaced or swapped letters (Damerau 1964). Returns nothing if these exceed a
/// third of its length.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 std::span<const std::string> names);

}  // namespace bloometry
