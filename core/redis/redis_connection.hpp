#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/redis/redis_commands.hpp"
#include "core/redis/redis_reply.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

struct redisContext;  // of hiredis

namespace bloometry {

/// A connection to one server, authenticated and with its database selected. After an exception it
/// is unusable, because replies may remain on it. Only one thread at a time may use it.
class RedisConnection {
 public:
  /// Connects.
  /// @throws RedisError, kUnreachable if the server cannot be reached, kRefused if it requires
  /// another password
  RedisConnection(const RedisUrl& url, const RedisTimeouts& timeouts);

  /// Sends the commands and returns a reply for each; error replies are returned unchanged.
  /// @throws RedisError, kUnreachable, unless all replies arrive completely, in time and without
  /// other bytes before or after them. The replies may have at most 64 MiB plus four times the size
  /// of the commands. An array may have at most 65,536 elements, or as many as the commands have
  /// bytes.
  [[nodiscard]] std::vector<RedisReply> exchange(const RedisCommands& commands);

 private:
  using Clock = std::chrono::steady_clock;

  struct Close {
    void operator()(redisContext* context) const noexcept;
  };

  void connect(const RedisUrl& url);
  void authenticate(const RedisUrl& url);
  void require_silence() const;
  void wait_for(short events, Clock::time_point deadline);
  [[nodiscard]] std::size_t send_some(std::string_view wire);
  /// Returns the number of bytes received.
  std::size_t receive_some();
  void take_replies(std::vector<RedisReply>& replies, std::size_t num_expected);
  [[noreturn]] void fail(const std::string& what) const;

  RedisTimeouts timeouts_;
  std::string name_;
  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace bloometry
