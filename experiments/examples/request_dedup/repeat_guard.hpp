#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/redis/redis_client.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry::examples {

/// The answer of a guard for a request.
enum class Verdict : std::uint8_t {
  kNew,       ///< certainly the first such request within the window
  kRepeated,  ///< a repetition, or a false positive
  kUnknown,   ///< Redis did not answer
};

/// A guard that recognises repeated requests of all services that share a rotating filter in Redis.
/// The guard does not throw if Redis fails.
///
/// The guard is a circuit breaker: after an error, it does not query Redis for the time `pause`. A
/// server that is not running therefore causes one failed call per pause instead of one timeout per
/// request. Several threads may use a guard. They share one connection, so their calls take turns.
class RepeatGuard {
 public:
  struct Settings {
    std::string filter{};    ///< name of the filter in Redis
    std::uint64_t seed = 0;  ///< seed of the filter's hash
    std::chrono::milliseconds pause{1000};
  };

  struct Counts {
    std::uint64_t num_errors = 0;   ///< number of failed calls
    std::uint64_t num_unknown = 0;  ///< number of requests without an answer from Redis
    std::chrono::nanoseconds time_in_errors{};
  };

  /// Creates a guard without connecting to Redis, because Redis may be down when the service
  /// starts.
  RepeatGuard(std::shared_ptr<RedisClient> client, Settings settings)
      : client_(std::move(client)), settings_(std::move(settings)) {}

  /// Inserts the request into the filter, and returns whether the filter contained it before. If
  /// several equal requests arrive at once, one of them is new.
  [[nodiscard]] Verdict check(KeyView request);

  [[nodiscard]] Counts counts() const;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Verdict query_and_insert(KeyView request);

  mutable std::mutex mutex_;
  std::shared_ptr<RedisClient> client_;
  Settings settings_;
  std::optional<RotatingInRedis> filter_;  ///< empty before it is opened and after an error
  Clock::time_point retry_at_{};
  Counts counts_;
};

}  // namespace bloometry::examples
