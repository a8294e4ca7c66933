#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_commands.hpp"
#include "core/redis/redis_reply.hpp"

namespace bloometry {

/// A server, or a cluster of them. One thread at a time.
class RedisClient {
 public:
  RedisClient() = default;
  RedisClient(const RedisClient&) = delete;
  RedisClient& operator=(const RedisClient&) = delete;
  virtual ~RedisClient() = default;

  /// Sends commands together to the server that has `key`, and returns a reply for each. All keys
  /// of the commands have its slot. They are sent again, all of them, if the connection is lost or
  /// the server is not ready: they must be such that twice is as good as once.
  /// @throws RedisError naming the server if no attempt brought all replies. Error replies are
  /// returned.
  [[nodiscard]] virtual std::vector<RedisReply> run(std::string_view key,
                                                    const RedisCommands& commands) = 0;

  /// The same in one MULTI: nothing happens between the commands. Returns the array of their
  /// replies, all there and none of them an error.
  /// @throws RedisError as run, and if a command was refused. Its errors, and those of reading the
  /// reply, name the server and the key.
  [[nodiscard]] RedisReply transaction(std::string_view key, const RedisCommands& commands);

  /// One command. @throws RedisError as transaction
  RedisReply command(std::string_view key, const RedisCommands& command);

  /// `redis://localhost:6379/0`: what messages call it.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Whether keys are on different servers by their slot.
  [[nodiscard]] virtual bool is_cluster() const noexcept = 0;
};

}  // namespace bloometry
