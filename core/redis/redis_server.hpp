#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_connection.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

namespace bloometry {

/// Client of one server. The first command opens the connection. If the connection is lost, the
/// next command opens a new connection.
class RedisServer final : public RedisClient {
 public:
  explicit RedisServer(RedisUrl url, const RedisTimeouts& timeouts = {},
                       const RetryPolicy& retry = {})
      : url_(std::move(url)), timeouts_(timeouts), retry_(retry) {}

  [[nodiscard]] std::vector<RedisReply> run(std::string_view key,
                                            const RedisCommands& commands) override;

  [[nodiscard]] std::string name() const override { return url_.name(); }

  [[nodiscard]] bool is_cluster() const noexcept override { return false; }

 private:
  RedisUrl url_;
  RedisTimeouts timeouts_;
  RetryPolicy retry_;
  std::optional<RedisConnection> connection_;
};

/// Returns whether the error reply means that the commands may succeed later. The result is true if
/// the server is loading its data, the cluster or a master is down, or keys are moving between
/// servers. The result is also true if the server became a replica during a WAIT.
[[nodiscard]] bool is_passing_error(std::string_view error) noexcept;

/// Returns the first error reply for which is_passing_error is true, or an empty string if such a
/// reply does not exist.
[[nodiscard]] std::string passing_error_in(const std::vector<RedisReply>& replies);

}  // namespace bloometry
