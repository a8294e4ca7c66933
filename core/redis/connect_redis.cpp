#include "core/redis/connect_redis.hpp"

#include "core/redis/redis_server.hpp"

namespace bloometry {

std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url, const RedisTimeouts& timeouts,
                                           const RetryPolicy& retry) {
  auto server = std::make_shared<RedisServer>(url, timeouts, retry);
  static_cast<void>(server->command("", RedisCommands().add("PING")));
  return server;
}

}  // namespace bloometry
