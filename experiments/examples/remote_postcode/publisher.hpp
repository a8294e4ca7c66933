#pragma once

#include <cstdint>
#include <string>

#include "core/redis/redis_client.hpp"
#include "experiments/examples/false_positives.hpp"

namespace bloometry::examples {

/// A filter that the publishing team stored in Redis, and its expected rates.
struct Published {
  std::string filter{};  ///< name of the filter in Redis
  ExpectedRate expected{};
};

/// Publishes the postcodes with numbers 0 .. num_remote-1 as a filter of the variant F. Throws
/// RedisError.
template <class F>
[[nodiscard]] Published publish_filter(RedisClient& client, std::uint64_t num_remote, double rate);

/// Publishes the postcodes of publish_filter() as a Redis SET, for comparison. Throws RedisError.
void publish_set(RedisClient& client, const std::string& name, std::uint64_t num_remote);

/// Returns the memory that Redis reports for all elements of a key, in bytes. Throws RedisError.
[[nodiscard]] std::uint64_t memory_usage(RedisClient& client, const std::string& key);

}  // namespace bloometry::examples
