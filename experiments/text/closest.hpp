#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the name that a misspelt word most likely means, or nullopt. It is the name that differs
/// by the fewest inserted, omitted, replaced or swapped letters (Damerau 1964), if these are at
/// most a third of its length.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 std::span<const std::string> names);

}  // namespace bloometry
