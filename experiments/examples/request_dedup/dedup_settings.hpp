#pragma once

#include <chrono>
#include <cstdint>

#include "core/redis/retry.hpp"

namespace bloometry::examples {

/// The options of the example request_dedup.
struct DedupSettings {
  std::uint64_t num_orders = 20'000;
  double repeated = 0.3;  ///< share of the orders that are sent a second time
  double rate = 0.001;    ///< false-positive rate for which the filter is sized
  std::int64_t window_s = 600;
  std::uint64_t generations = 8;
  std::int64_t handling_us = 2000;
  std::int64_t timeout_ms = 50;
  std::int64_t pause_ms = 1000;  ///< pause of a guard after an error
  std::uint64_t seed = 1;

  [[nodiscard]] std::chrono::milliseconds pause() const {
    return std::chrono::milliseconds(pause_ms);
  }

  /// Returns short timeouts, because a guard must not cost more time than it saves.
  [[nodiscard]] RedisTimeouts timeouts() const {
    const std::chrono::milliseconds timeout(timeout_ms);
    return {.connect = timeout, .command = timeout};
  }

  [[nodiscard]] static RetryPolicy retry() {
    return {.max_attempts = 2, .first_delay = std::chrono::milliseconds(5)};
  }
};

}  // namespace bloometry::examples
