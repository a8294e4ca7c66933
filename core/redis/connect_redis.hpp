#pragma once

#include <memory>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

namespace bloometry {

/// A client of the server at the URL, or of the cluster that the server says it belongs to.
/// @throws RedisError if it cannot be reached or wants another password
[[nodiscard]] std::shared_ptr<RedisClient> connect_redis(const RedisUrl& url,
                                                         const RedisTimeouts& timeouts = {},
                                                         const RetryPolicy& retry = {});

}  // namespace bloometry
