#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "experiments/process/child_process.hpp"

namespace bloometry::test {

/// The stand-in for a server with RedisBloom (fake_redisbloom.py), ended with the test. It serves
/// one connection after the other.
class FakeRedisBloom {
 public:
  /// @param options as fake_redisbloom.py --help lists them
  explicit FakeRedisBloom(const std::vector<std::string>& options = {});

  [[nodiscard]] RedisClient& client() noexcept { return *client_; }

  /// Names of all keys.
  [[nodiscard]] std::vector<std::string> keys();

 private:
  std::uint16_t port_;
  ChildProcess process_;
  std::unique_ptr<RedisClient> client_;
};

}  // namespace bloometry::test
