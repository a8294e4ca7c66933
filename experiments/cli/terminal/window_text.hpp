#pragma once

#include <fmt/core.h>
#include <string>

#include "core/contract/window.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {

/// Returns a window in insert calls and in ticks, as in `1,001 inserts with the key's own, or 7
/// ticks`.
[[nodiscard]] inline std::string window_text(const Window& window) {
  const std::string ticks = plural(window.num_ticks, "tick");
  if (!window.num_inserts) return ticks;
  return fmt::format("{} with the key's own, or {}", plural(*window.num_inserts, "insert"), ticks);
}

}  // namespace bloometry
