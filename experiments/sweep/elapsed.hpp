#pragma once

#include <chrono>

namespace bloometry {

/// Returns the wall time since `start`, in seconds.
[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace bloometry
