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

/// Says which URLs are surely not in the table, by a filter in Redis. Never throws because of
/// Redis: without an answer no URL is surely absent, and the caller looks it up.
///
/// A circuit breaker: after an error Redis is not asked for `pause`, so that a dead server costs
/// one failed call per pause, and not a timeout per request. Then the filter is opened anew, since
/// Redis may have come back with another version of it.
class UrlGuard {
 public:
  struct Settings {
    std::string filter{};    ///< its name in Redis
    std::uint64_t seed = 0;  ///< of its hash
    std::chrono::milliseconds pause{1000};
  };

  struct Counts {
    std::uint64_t num_errors = 0;   ///< calls that failed
    std::uint64_t num_unknown = 0;  ///< URLs without an answer: failed, or not asked in a pause
    std::chrono::nanoseconds time_in_errors{};
  };

  /// Does not connect: Redis may be down when the service starts.
  UrlGuard(std::shared_ptr<RedisClient> client, Settings settings)
      : client_(std::move(client)), settings_(std::move(settings)) {}

  /// True: no look-up is needed. False: the URL may exist, or nothing is known.
  [[nodiscard]] bool is_surely_absent(KeyView url) { return are_surely_absent({&url, 1}).front(); }

  /// The same for many URLs in one round trip.
  [[nodiscard]] std::vector<bool> are_surely_absent(std::span<const KeyView> urls);

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::vector<Presence> ask(std::span<const KeyView> urls);

  std::shared_ptr<RedisClient> client_;
  Settings settings_;
  std::optional<RedisFilter> filter_;  ///< absent: not opened yet, or closed by an error
  Clock::time_point asks_again_at_{};
  Counts counts_;
};

}  // namespace bloometry::examples
