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

/// One server, connected to when it is first asked for something, and again after a connection is
/// lost.
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

/// Whether an error reply says that the same commands may succeed a little later: the server loads
/// its data, keys are on their way from one server to another, or it became a replica while WAIT
/// waited.
[[nodiscard]] bool is_passing_error(std::string_view error) noexcept;

/// The first such error among replies; empty if there is none.
[[nodiscard]] std::string passing_error_in(const std::vector<RedisReply>& replies);

}  // namespace bloometry
