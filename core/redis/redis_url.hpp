#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// The address of a server, with user, password and database.
struct RedisUrl {
  std::string host{};         ///< host of a TCP connection
  std::uint16_t port = 6379;  ///< port of a TCP connection
  std::string socket{};       ///< path of a Unix socket, instead of host and port
  std::uint32_t database = 0;
  std::string user{};  ///< empty: the default user
  std::optional<std::string> password{};

  /// Returns `redis://localhost:6379/0` or `unix:/run/redis.sock`, without the password.
  [[nodiscard]] std::string name() const;
};

/// Reads `redis://[[user]:password@]host[:port][/database]`, `unix:/path` or `unix:/path?db=N`.
/// User and password may contain %xx for any byte; an IPv6 address is in brackets.
/// @throws ConfigError without the password; also for `rediss://`, because the connection cannot be
/// encrypted
[[nodiscard]] RedisUrl parse_redis_url(std::string_view text);

}  // namespace bloometry
