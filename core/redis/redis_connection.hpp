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
  /// the server rejects the password or the database
  RedisConnection(const RedisUrl& url, const RedisTimeouts& timeouts);

  /// Sends the commands and returns one reply per command. The result may contain error replies.
  /// @throws RedisError, with kUnreachable, if a reply is missing, late or damaged, or if other
  /// bytes arrive before or after the replies. The replies may have at most 64 MiB plus four times
  /// the size of the commands. The limit for the number of elements of an array is 65,536 or the
  /// number of bytes of the commands, whichever is larger.
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
  /// Reads the bytes that have arrived, and returns their number.
  std::size_t receive_some();
  void take_replies(std::vector<RedisReply>& replies, std::size_t num_expected);
  [[noreturn]] void fail(const std::string& what) const;

  RedisTimeouts timeouts_;
  std::string name_;
  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace bloometry
