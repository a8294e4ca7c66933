#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Where a server is and who asks.
struct RedisUrl {
  std::string host{};         ///< of TCP
  std::uint16_t port = 6379;  ///< of TCP
  std::string socket{};       ///< path of a Unix socket, instead of host and port
  std::uint32_t database = 0;
  std::string user{};  ///< empty: the default user
  std::optional<std::string> password{};

  /// `redis://localhost:6379/0` or `unix:/run/redis.sock`: without the password.
  [[nodiscard]] std::string name() const;
};

/// Reads `redis://[[user]:password@]host[:port][/database]`, `unix:/path` or `unix:/path?db=N`.
/// User and password may have %xx for any byte, an IPv6 address stands in brackets.
/// @throws ConfigError without the password; so for `rediss://`, as the connection cannot be
/// encrypted
[[nodiscard]] RedisUrl parse_redis_url(std::string_view text);

}  // namespace bloometry
