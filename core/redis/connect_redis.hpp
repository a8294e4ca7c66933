#pragma once

#include <memory>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

namespace bloometry {

/// Returns a client of the server at the URL, or of the cluster that this server says it belongs
/// to. A server that does not let the user run INFO is taken for a single one.
/// @throws RedisError if it cannot be reached or wants another password; ConfigError if it belongs
/// to a cluster and the URL names a database other than 0
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts,
                                                         const RetryPolicy& retry);

/// The same with RetryPolicy{} for a server and kClusterRetryPolicy for a cluster.
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts = {});

}  // namespace bloometry
