#pragma once

#include <memory>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

namespace bloometry {

/// Returns a client of the server at the URL. If the server reports that it belongs to a cluster,
/// the result is a client of the cluster. If the user may not run INFO, the server is treated as a
/// single one.
/// @throws RedisError if the server cannot be reached or rejects the password.
/// @throws ConfigError if the URL of a cluster names a database other than 0.
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts,
                                                         const RetryPolicy& retry);

/// Returns a client of the server or the cluster at the URL. The policy is RetryPolicy{} for a
/// single server and kClusterRetryPolicy for a cluster.
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts = {});

}  // namespace bloometry
