#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/hash/xxh3_hasher.hpp"
#include "core/redis/redis_client.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry::test {

/// Returns the parameters of a rotating filter with the hash Xxh3Hasher(0).
[[nodiscard]] inline RotatingParameters rotating_with_xxh3(const RotatingRequest& request) {
  return rotating_parameters(request, header_of_hash(Xxh3Hasher(0)));
}

/// Creates a rotating filter with the hash Xxh3Hasher(0), and opens it.
[[nodiscard]] inline RotatingInRedis created_rotating(const std::shared_ptr<RedisClient>& client,
                                                      const RotatingRequest& request,
                                                      const std::string& name = "seen") {
  create_rotating_in_redis(*client, name, rotating_with_xxh3(request));
  return RotatingInRedis(client, find_rotating_in_redis(*client, name), Xxh3Hasher(0));
}

/// Opens a rotating filter that has the hash Xxh3Hasher(0).
[[nodiscard]] inline RotatingInRedis opened_rotating(const std::shared_ptr<RedisClient>& client,
                                                     const std::string& name = "seen") {
  return RotatingInRedis(client, find_rotating_in_redis(*client, name), Xxh3Hasher(0));
}

}  // namespace bloometry::test
