#pragma once

#include <memory>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

namespace bloometry {

/// Returns a client of the server at the URL, or of the server's cluster if the server reports that
/// it belongs to a cluster. A server that does not permit the user to run INFO is treated as a
/// single server.
/// @throws RedisError if the server cannot be reached or requires another password.
/// @throws ConfigError if the URL of a cluster names a database other than 0.
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts,
                                                         const RetryPolicy& retry);

/// Returns a client of the server or the cluster at the URL, with RetryPolicy{} for a server and
/// kClusterRetryPolicy for a cluster.
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts = {});

}  // namespace bloometry
