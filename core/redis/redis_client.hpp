#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_commands.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_reply.hpp"

namespace bloometry {

/// Client of a server or of a cluster of servers. Only one thread at a time may use a RedisClient.
class RedisClient {
 public:
  RedisClient() = default;
  RedisClient(const RedisClient&) = delete;
  RedisClient& operator=(const RedisClient&) = delete;
  virtual ~RedisClient() = default;

  /// Sends commands together to the server that has `key`, and returns one reply per command. All
  /// keys of the commands must be in the slot of `key`. If the connection is lost or the server is
  /// not ready, the function sends all commands again. The commands must therefore be idempotent.
  /// @throws RedisError that names the server if every attempt failed to return all replies. If the
  /// server replies with any other error, the result contains the error reply.
  [[nodiscard]] virtual std::vector<RedisReply> run(std::string_view key,
                                                    const RedisCommands& commands) = 0;

  /// Sends the commands in one MULTI, so that commands of other clients cannot run between them.
  /// Returns the array of the replies, which has one reply per command and does not contain errors.
  /// @throws the errors of `run`, and RedisError if a command was refused. The error messages of
  /// `transaction` and of the returned RedisReply name the server and the key.
  [[nodiscard]] RedisReply transaction(std::string_view key, const RedisCommands& commands);

  /// Sends one command and returns its reply.
  /// @throws the errors of `transaction`
  RedisReply command(std::string_view key, const RedisCommands& command);

  /// Returns the name of the server or cluster for messages, such as `redis://localhost:6379/0`.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Throws a RedisError about a key, such as `redis://localhost:6379/0: key 'seen' is not there`.
  /// @throws RedisError
  [[noreturn]] void fail(RedisFailure failure, std::string_view key, const std::string& what) const;

  /// Returns true for a client of a cluster, in which the slot of a key determines the server.
  [[nodiscard]] virtual bool is_cluster() const noexcept = 0;
};

}  // namespace bloometry
