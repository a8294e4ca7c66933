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
/// is of no more use: replies may be left on it. One thread at a time.
class RedisConnection {
 public:
  /// @throws RedisError, kUnreachable if there is no server, kRefused if it wants another password
  RedisConnection(const RedisUrl& url, const RedisTimeouts& timeouts);

  /// Sends the commands and returns a reply for each; error replies are returned as they come.
  /// @throws RedisError, kUnreachable, unless every reply has come as a whole and in time, and
  /// nothing else: no bytes before the commands or after the replies, no more than 64 MiB and four
  /// times the size of the commands, no array of more than 65,536 elements and that size.
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
