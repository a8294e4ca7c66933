#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

// The notation of durations on the command line: a whole number with the unit ms, s, m (minutes), h
// or d (days of 24 h), such as 250ms, 90 s or 24h. Spaces may surround the number.

namespace bloometry {

/// Returns the duration that the text states, or nullopt if the text is not a duration of less than
/// 2^53 ms.
[[nodiscard]] std::optional<std::chrono::milliseconds> read_duration(std::string_view text);

/// Returns the duration with four significant digits, in the largest unit that is not longer, such
/// as 1.143 d, 90 ms or -5 s.
[[nodiscard]] std::string readable_duration(std::chrono::milliseconds duration);

}  // namespace bloometry
