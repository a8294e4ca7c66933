#pragma once

#include <cstdint>
#include <string>

#include "core/redis/redis_client.hpp"
#include "experiments/examples/false_positives.hpp"

namespace bloometry::examples {

/// The data that the team with the remote postcodes publishes in Redis.
struct Published {
  std::string filter{};  ///< name in Redis
  ExpectedRate expected{};
};

/// Publishes postcodes 0 .. num_remote-1 as a filter of the variant F. @throws RedisError
template <class F>
[[nodiscard]] Published publish_filter(RedisClient& client, std::uint64_t num_remote, double rate);

/// Publishes them as a Redis SET, for comparison. @throws RedisError
void publish_set(RedisClient& client, const std::string& name, std::uint64_t num_remote);

/// Returns the bytes that Redis needs for a key, counting all elements. @throws RedisError
[[nodiscard]] std::uint64_t memory_usage(RedisClient& client, const std::string& key);

}  // namespace bloometry::examples
