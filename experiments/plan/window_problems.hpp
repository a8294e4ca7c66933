#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/contract/window.hpp"
#include "core/error.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Prefix of the fields of a window in a Problem, such as `window.size`.
inline constexpr std::string_view kWindowPrefix = "window.";

/// Returns why the stream of a grid requires keys that a filter may have forgotten: its window is
/// larger than that of the filter, or, without a window, there are more keys than that. In a stream
/// with ticks, ticks must come before inserts cause a rotation.
/// @param window window of the filter
/// @param stream window of the grid, if any
/// @param most_keys largest number of keys at which the filter is queried
[[nodiscard]] std::vector<Problem> window_problems(const Window& window,
                                                   const std::optional<StreamWindow>& stream,
                                                   std::uint64_t most_keys);

}  // namespace bloometry
