#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "experiments/process/child_process.hpp"

namespace bloometry::test {

/// A substitute for a server with RedisBloom (fake_redisbloom.py). The destructor ends the process.
/// The process serves one connection at a time.
class FakeRedisBloom {
 public:
  /// Starts the server.
  /// @param options options that fake_redisbloom.py --help lists
  explicit FakeRedisBloom(const std::vector<std::string>& options = {});

  [[nodiscard]] RedisClient& client() noexcept { return *client_; }

  /// Returns the names of all keys.
  [[nodiscard]] std::vector<std::string> keys();

 private:
  std::uint16_t port_;
  ChildProcess process_;
  std::unique_ptr<RedisClient> client_;
};

}  // namespace bloometry::test
