#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_error.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

/// Filters of the Redis module RedisBloom, between its server and this process: BF.LOADCHUNK and
/// BF.SCANDUMP. Other servers that know BF commands have other dumps and are refused.
namespace bloometry {

struct RedisBloomLoadOptions {
  std::optional<std::chrono::milliseconds> ttl{};  ///< until the filter expires; absent: never
  /// Also over a key that holds something else than a filter of RedisBloom.
  bool replaces_anything = false;
  std::uint64_t chunk_bytes = std::uint64_t{4} << 20U;  ///< sent at a time
  /// Called after every chunk with the bytes done and all; all are sent, and then read back.
  std::function<void(std::uint64_t, std::uint64_t)> on_progress{};
};

/// @throws RedisError, kRefused, unless the server has the module RedisBloom, and not one of
/// another maker: valkey-bloom, Dragonfly.
void require_redisbloom(RedisClient& client);

/// Puts a filter into Redis, in place of what is there. It is loaded under a temporary name in the
/// same slot, read back and compared, and renamed in one step: a filter that is half there answers
/// "absent", so nobody may see it. Cost: the bytes of the filter twice over the network.
/// @throws RedisError, leaving the filter before; ConfigError if the key holds something else
void load_redisbloom(RedisClient& client, const std::string& key, const RedisBloomFilter& filter,
                     const RedisBloomLoadOptions& options = {});

/// Reads a filter. Each chunk comes with the header in one MULTI: a filter to which items are added
/// meanwhile is read again, three times at most. What replaces it with equal sizes and as many
/// items in every link is not noticed.
/// @throws RedisError, kMissing if there is no such key
[[nodiscard]] RedisBloomFilter pull_redisbloom(
    RedisClient& client, const std::string& key,
    const std::function<void(std::uint64_t, std::uint64_t)>& on_progress = {});

}  // namespace bloometry
