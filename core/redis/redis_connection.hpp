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

/// An authenticated connection to one server, with a selected database. After an exception, the
/// connection is unusable, because unread replies may remain. Only one thread at a time may use a
/// RedisConnection.
class RedisConnection {
 public:
  /// Connects to the server.
  /// @throws RedisError, with kUnreachable if the server cannot be reached, and with kRefused if
  /// the server requires another password
  RedisConnection(const RedisUrl& url, const RedisTimeouts& timeouts);

  /// Sends the commands and returns one reply per command. Error replies are returned unchanged.
  /// @throws RedisError, with kUnreachable, unless all replies arrive completely, in time and
  /// without other bytes before or after the replies. The replies may have at most 64 MiB plus four
  /// times the size of the commands. The number of elements of an array is limited to 65,536, or to
  /// the number of bytes of the commands if that is larger.
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
  /// Receives some bytes of replies. Returns the number of received bytes.
  std::size_t receive_some();
  void take_replies(std::vector<RedisReply>& replies, std::size_t num_expected);
  [[noreturn]] void fail(const std::string& what) const;

  RedisTimeouts timeouts_;
  std::string name_;
  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace bloometry
