#pragma once

#include <string>

#include "core/redis/redis_client.hpp"

namespace bloometry::redis_cli {

/// Facts that a server reports about itself, as far as the user may read them.
struct ServerFacts {
  std::string version = "unknown";
  std::string eviction_policy = "unknown";
  bool has_memory_limit = true;  ///< true if the server has a limit or the limit is unknown

  /// Returns whether the server may evict a key, according to the known settings.
  [[nodiscard]] bool may_evict(bool expires) const;
};

/// Asks the server that has the key.
/// @throws RedisError if the server cannot be reached
[[nodiscard]] ServerFacts server_facts(RedisClient& client, const std::string& key);

/// Prints a warning that the server may evict the filter.
void print_eviction_warning(const ServerFacts& server);

}  // namespace bloometry::redis_cli
