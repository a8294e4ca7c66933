#pragma once

#include <chrono>
#include <cstdint>

#include "core/redis/retry.hpp"
#include "experiments/examples/cache_guard/request_log.hpp"

namespace bloometry::examples {

/// The options of the example cache_guard.
struct GuardSettings {
  LogSettings log{};
  double rate = 0.01;  ///< false-positive rate for sizing filters
  std::int64_t timeout_ms = 50;
  std::int64_t pause_ms = 1000;  ///< pause of the guard after an error

  [[nodiscard]] std::chrono::milliseconds pause() const {
    return std::chrono::milliseconds(pause_ms);
  }

  /// Returns short timeouts, because a guard is useless if its answer is slower than a lookup.
  [[nodiscard]] RedisTimeouts timeouts() const {
    const std::chrono::milliseconds timeout(timeout_ms);
    return {.connect = timeout, .command = timeout};
  }

  [[nodiscard]] static RetryPolicy retry() {
    return {.max_attempts = 2, .first_delay = std::chrono::milliseconds(5)};
  }
};

}  // namespace bloometry::examples
