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

/// Returns `; did you mean X?` with the closest name, or an empty text.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> names);

/// Returns the suggestion for an error message of the form `... one of a, b, c, got 'x'`, or an
/// empty text for another message. The value may also be in double quotes.
[[nodiscard]] std::string suggestion_for(std::string_view message);

}  // namespace bloometry
