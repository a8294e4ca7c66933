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

/// A guard that uses a filter in Redis to determine which URLs are certainly absent from the table.
/// The guard does not throw if Redis fails. Without an answer from Redis, the guard does not report
/// any URL as absent, and the caller must look up all URLs.
///
/// The guard is a circuit breaker: after an error, the guard does not query Redis for the time
/// `pause`. A server that is not running therefore causes one failed call per pause instead of one
/// timeout per request. After the pause the guard opens the filter again, because Redis may have a
/// new version of the filter.
class UrlGuard {
 public:
  struct Settings {
    std::string filter{};    ///< name of the filter in Redis
    std::uint64_t seed = 0;  ///< seed of the filter's hash
    std::chrono::milliseconds pause{1000};
  };

  struct Counts {
    std::uint64_t num_errors = 0;   ///< number of failed calls
    std::uint64_t num_unknown = 0;  ///< number of URLs without an answer from Redis
    std::chrono::nanoseconds time_in_errors{};
  };

  /// Creates a guard without connecting to Redis, because Redis may be down when the service
  /// starts.
  UrlGuard(std::shared_ptr<RedisClient> client, Settings settings)
      : client_(std::move(client)), settings_(std::move(settings)) {}

  /// Returns true if the URL is certainly absent and need not be looked up. Returns false if the
  /// URL may exist or if Redis did not answer.
  [[nodiscard]] bool is_surely_absent(KeyView url) { return are_surely_absent({&url, 1}).front(); }

  /// Returns is_surely_absent() for each of many URLs, in one round trip.
  [[nodiscard]] std::vector<bool> are_surely_absent(std::span<const KeyView> urls);

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> urls);

  std::shared_ptr<RedisClient> client_;
  Settings settings_;
  std::optional<RedisFilter> filter_;  ///< empty before the filter is opened and after an error
  Clock::time_point retry_at_{};
  Counts counts_;
};

}  // namespace bloometry::examples
