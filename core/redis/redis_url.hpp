#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Address of a server, and the user, password and database to use.
struct RedisUrl {
  std::string host{};         ///< host of a TCP connection
  std::uint16_t port = 6379;  ///< port of a TCP connection
  std::string socket{};       ///< path of a Unix socket, instead of host and port
  std::uint32_t database = 0;
  std::string user{};  ///< user name; empty for the default user
  std::optional<std::string> password{};

  /// Returns the URL without the password, such as `redis://localhost:6379/0` or
  /// `unix:/run/redis.sock`.
  [[nodiscard]] std::string name() const;
};

/// Parses a URL of the form `redis://[[user]:password@]host[:port][/database]`, `unix:/path` or
/// `unix:/path?db=N`. The user and the password may contain %xx for any byte. An IPv6 address must
/// be in brackets.
/// @throws ConfigError if `text` does not have such a form, or begins with `rediss://`, because the
/// library does not support encryption. The error message does not contain the password.
[[nodiscard]] RedisUrl parse_redis_url(std::string_view text);

}  // namespace bloometry
