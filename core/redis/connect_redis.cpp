#include "core/redis/connect_redis.hpp"

#include "core/redis/cluster_client.hpp"
#include "core/redis/redis_server.hpp"

namespace bloometry {
namespace {

/// Returns whether the server reports that it belongs to a cluster.
bool is_in_cluster(const RedisUrl& url, const RedisTimeouts& timeouts, const RetryPolicy& retry) {
  // A server of a cluster rejects SELECT, so the client for INFO does not select a database.
  RedisUrl without_database = url;
  without_database.database = 0;
  RedisServer server(without_database, timeouts, retry);
  const std::vector<RedisReply> replies = server.run("", RedisCommands().add("INFO", "cluster"));
  const ReplyView info = replies.front().view();
  return !info.is_error() && info.text().find("cluster_enabled:1") != std::string_view::npos;
}

std::shared_ptr<RedisClient> connect(const RedisUrl& url, const RedisTimeouts& timeouts,
                                     const RetryPolicy& retry, const RetryPolicy& cluster_retry) {
  std::shared_ptr<RedisClient> client;
  if (is_in_cluster(url, timeouts, retry)) {
    client = std::make_shared<RedisCluster>(url, timeouts, cluster_retry);
  } else {
    client = std::make_shared<RedisServer>(url, timeouts, retry);
  }
  static_cast<void>(client->command("", RedisCommands().add("PING")));
  return client;
}

}  // namespace

std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url, const RedisTimeouts& timeouts,
                                           const RetryPolicy& retry) {
  return connect(url, timeouts, retry, retry);
}

std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url, const RedisTimeouts& timeouts) {
  return connect(url, timeouts, RetryPolicy(), kClusterRetryPolicy);
}

}  // namespace bloometry
