#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloometry {

/// The name that a word was probably meant to be: the one from which it differs by the fewest
/// inserted, left out, replaced or swapped letters (Damerau 1964), if these are at most a third of
/// its length.
[[nodiscard]] std::optional<std::string> closest(std::string_view word,
                                                 std::span<const std::string> names);

}  // namespace bloometry
