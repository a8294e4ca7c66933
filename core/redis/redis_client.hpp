#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_commands.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_reply.hpp"

namespace bloometry {

/// A server, or a cluster of servers. Only one thread at a time may use it.
class RedisClient {
 public:
  RedisClient() = default;
  RedisClient(const RedisClient&) = delete;
  RedisClient& operator=(const RedisClient&) = delete;
  virtual ~RedisClient() = default;

  /// Sends commands together to the server that has `key`, and returns a reply for each. All keys
  /// of the commands must be in the slot of `key`. If the connection is lost or the server is not
  /// ready, sends all of them again; the commands must therefore be idempotent.
  /// @throws RedisError that names the server if every attempt failed to return all replies. Error
  /// replies are returned.
  [[nodiscard]] virtual std::vector<RedisReply> run(std::string_view key,
                                                    const RedisCommands& commands) = 0;

  /// Sends the commands in one MULTI, so that other commands cannot run between them. Returns the
  /// array of their replies; the array is complete and does not contain errors.
  /// @throws RedisError as run, and if a command was refused. The errors of this function, and
  /// those of reading the returned reply, name the server and the key.
  [[nodiscard]] RedisReply transaction(std::string_view key, const RedisCommands& commands);

  /// Sends one command.
  /// @throws RedisError as transaction
  RedisReply command(std::string_view key, const RedisCommands& command);

  /// Returns the name of the server or cluster in messages, such as `redis://localhost:6379/0`.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Throws an error about a key, such as `redis://localhost:6379/0: key 'seen' is not there`.
  /// @throws RedisError
  [[noreturn]] void fail(RedisFailure failure, std::string_view key, const std::string& what) const;

  /// Returns whether this is a cluster, in which the slot of a key decides its server.
  [[nodiscard]] virtual bool is_cluster() const noexcept = 0;
};

}  // namespace bloometry
