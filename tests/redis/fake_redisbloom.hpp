#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "experiments/process/child_process.hpp"

namespace bloometry::test {

/// A substitute for a server with RedisBloom: the program fake_redisbloom.py in a child process.
/// The destructor ends the process. The server handles one connection at a time.
class FakeRedisBloom {
 public:
  /// Starts the server.
  /// @param options command-line options of fake_redisbloom.py
  explicit FakeRedisBloom(const std::vector<std::string>& options = {});

  [[nodiscard]] RedisClient& client() noexcept { return *client_; }

  /// Returns the names of all keys on the server.
  [[nodiscard]] std::vector<std::string> keys();

 private:
  std::uint16_t port_;
  ChildProcess process_;
  std::unique_ptr<RedisClient> client_;
};

}  // namespace bloometry::test
