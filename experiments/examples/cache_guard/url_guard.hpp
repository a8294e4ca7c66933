#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "variants/redis/redis_filter.hpp"

namespace bloometry::examples {

/// Determines by a filter in Redis which URLs are certainly absent from the table. It never throws
/// because of Redis: without an answer it does not report a URL absent, and the caller looks it up.
///
/// It is a circuit breaker. After an error it does not query Redis for `pause`. A dead server then
/// costs one failed call per pause, not a timeout per request. Then it opens the filter again,
/// because Redis may have returned with another version of it.
class UrlGuard {
 public:
  struct Settings {
    std::string filter{};    ///< its name in Redis
    std::uint64_t seed = 0;  ///< of its hash
    std::chrono::milliseconds pause{1000};
  };

  struct Counts {
    std::uint64_t num_errors = 0;   ///< failed calls
    std::uint64_t num_unknown = 0;  ///< URLs without an answer: failed, or skipped during a pause
    std::chrono::nanoseconds time_in_errors{};
  };

  /// Does not connect: Redis may be down when the service starts.
  UrlGuard(std::shared_ptr<RedisClient> client, Settings settings)
      : client_(std::move(client)), settings_(std::move(settings)) {}

  /// Returns true if a lookup is unnecessary, and false if the URL may exist or its state is
  /// unknown.
  [[nodiscard]] bool is_surely_absent(KeyView url) { return are_surely_absent({&url, 1}).front(); }

  /// Returns the same for many URLs in one round trip.
  [[nodiscard]] std::vector<bool> are_surely_absent(std::span<const KeyView> urls);

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> urls);

  std::shared_ptr<RedisClient> client_;
  Settings settings_;
  std::optional<RedisFilter> filter_;  ///< absent: not yet opened, or closed after an error
  Clock::time_point retry_at_{};
  Counts counts_;
};

}  // namespace bloometry::examples
