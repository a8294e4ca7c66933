#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <string>

#include "core/error.hpp"
#include "core/redis/connect_redis.hpp"
#include "experiments/cli/redis/redis_target.hpp"
#include "experiments/files/file_descriptor.hpp"

namespace bloometry::redis_cli {
namespace {

constexpr const char* kUrlVariable = "BLOOMETRY_REDIS_URL";
constexpr const char* kPasswordVariable = "BLOOMETRY_REDIS_PASSWORD";

std::optional<std::string> from_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::string read_password(const std::filesystem::path& path) {
  if (::access(path.c_str(), R_OK) != 0) {
    // The message does not contain the name, which may be the password itself.
    throw ConfigError(
        fmt::format("--password-file must be the name of a file with the password, got a name that "
                    "cannot be opened: {}",
                    std::strerror(errno)));
  }
  std::string text = read_file(path);
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  if (text.empty())
    throw ConfigError("--password-file must contain a password, got the empty file " +
                      path.string());
  return text;
}

RedisUrl parse_url(const ServerOptions& options) {
  if (options.url) return parse_redis_url(*options.url);
  const std::optional<std::string> text = from_environment(kUrlVariable);
  if (!text) return {.host = "127.0.0.1"};
  try {
    return parse_redis_url(*text);
  } catch (const ConfigError& error) {
    throw ConfigError(kUrlVariable, error.problems().front().text);
  }
}

void give_user(const ServerOptions& options, RedisUrl& url) {
  if (options.user.empty()) return;
  if (!url.user.empty() && url.user != options.user) {
    throw ConfigError(
        fmt::format("--user must be the user in the URL, '{}', or be left out, got '{}'", url.user,
                    options.user));
  }
  url.user = options.user;
}

/// Sets the password of the URL. Throws ConfigError if the given passwords differ, because the
/// intended password would be unclear.
void give_password(const ServerOptions& options, RedisUrl& url) {
  const auto give = [&](const std::optional<std::string>& password) {
    if (!password) return;
    if (url.password && url.password != password) {
      throw ConfigError(
          "--password-file, BLOOMETRY_REDIS_PASSWORD and the URL must not contain different "
          "passwords");
    }
    url.password = password;
  };
  give(from_environment(kPasswordVariable));
  if (options.password_file) give(read_password(*options.password_file));
}

}  // namespace

RedisUrl server_url(const ServerOptions& options) {
  RedisUrl url = parse_url(options);
  give_user(options, url);
  give_password(options, url);
  if (!url.user.empty() && !url.password) {
    throw ConfigError(fmt::format("--user must be given with a password: --password-file, or {}",
                                  kPasswordVariable));
  }
  return url;
}

std::shared_ptr<RedisClient> connect(const ServerOptions& options,
                                     std::chrono::milliseconds patience) {
  RedisTimeouts timeouts;
  if (options.timeout_ms) {
    timeouts.connect = timeouts.command = std::chrono::milliseconds(*options.timeout_ms);
  }
  timeouts.command += patience;
  // Without --retries, connect_redis chooses the retry policy of a single server or of a cluster.
  if (!options.num_retries) return connect_redis(server_url(options), timeouts);
  RetryPolicy retry;
  retry.max_attempts = static_cast<unsigned>(*options.num_retries + 1);
  return connect_redis(server_url(options), timeouts, retry);
}

}  // namespace bloometry::redis_cli
