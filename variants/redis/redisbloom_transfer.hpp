#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_error.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

/// Transfers filters of the Redis module RedisBloom between a server and this process, by
/// BF.LOADCHUNK and BF.SCANDUMP. The functions reject other servers with BF commands, because these
/// servers have other dumps.
namespace bloometry {

struct RedisBloomLoadOptions {
  /// Time until the filter expires. If the time is absent, the filter does not expire.
  std::optional<std::chrono::milliseconds> ttl{};
  /// Whether the load may replace the value of a key that does not hold a filter of RedisBloom.
  bool replaces_anything = false;
  std::uint64_t chunk_bytes = std::uint64_t{4} << 20U;  ///< number of bytes per write
  /// Function that is called after every chunk with the number of bytes done and the total number.
  /// The function load_redisbloom sends all chunks and then reads them back.
  std::function<void(std::uint64_t, std::uint64_t)> on_progress{};
};

/// Checks that the server has the module RedisBloom.
/// @throws RedisError (kRefused) if the server does not have the module, or is Dragonfly or Valkey
void require_redisbloom(RedisClient& client);

/// Loads a filter into Redis and replaces the existing filter of the given name. The function loads
/// the filter under a temporary name in the same slot, reads it back, compares it, and renames the
/// key in one step. A server with a partial filter replies "absent" for members, so a partial
/// filter must never be visible under the key.
/// Cost: the bytes of the filter are sent twice over the network.
/// @throws RedisError if the load fails; the previous filter remains.
/// @throws ConfigError if the key exists but does not hold a filter of RedisBloom.
void load_redisbloom(RedisClient& client, const std::string& key, const RedisBloomFilter& filter,
                     const RedisBloomLoadOptions& options = {});

/// Reads a filter. Each chunk is read together with the header in one MULTI. If items are added
/// during the read, the function reads the filter again, but makes at most three reads in total.
/// The function does not detect a replacement with equal sizes and equal item counts in every link.
/// @throws RedisError, kMissing if the key does not exist
[[nodiscard]] RedisBloomFilter pull_redisbloom(
    RedisClient& client, const std::string& key,
    const std::function<void(std::uint64_t, std::uint64_t)>& on_progress = {});

}  // namespace bloometry
