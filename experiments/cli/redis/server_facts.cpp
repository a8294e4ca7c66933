#include "experiments/cli/redis/server_facts.hpp"

#include <fmt/core.h>
#include <optional>
#include <string_view>

#include "core/redis/redis_error.hpp"
#include "experiments/cli/terminal/message.hpp"

namespace bloometry::redis_cli {
namespace {

/// Returns the value of an INFO field, such as `7.0.15` for `redis_version:7.0.15`. Returns an
/// empty string if the field does not exist.
std::string field_in(std::string_view info, const std::string& name) {
  const std::size_t at = fmt::format("\n{}", info).find(fmt::format("\n{}:", name));
  if (at == std::string::npos) return {};
  const std::string_view value = info.substr(at + name.size() + 1);
  return std::string(value.substr(0, value.find_first_of("\r\n")));
}

/// Returns the text of the reply to a command, or nullopt if the user may not run the command.
std::optional<std::string> allowed_text(RedisClient& client, const RedisCommands& command,
                                        const std::string& key) {
  try {
    const RedisReply reply = client.command(key, command);
    const ReplyView view = reply.view();
    if (!view.is_array()) return std::string(view.text());
    if (view.size() < 2) return std::nullopt;
    return std::string(view[1].text());
  } catch (const RedisError& error) {
    if (error.failure() != RedisFailure::kRefused) throw;
    return std::nullopt;
  }
}

}  // namespace

bool ServerFacts::may_evict(bool expires) const {
  if (!has_memory_limit) return false;
  return eviction_policy.starts_with("allkeys") ||
         (eviction_policy.starts_with("volatile") && expires);
}

ServerFacts server_facts(RedisClient& client, const std::string& key) {
  ServerFacts facts;
  const auto info = allowed_text(client, RedisCommands().add("INFO"), key);
  if (info) {
    const std::string version = field_in(*info, "redis_version");
    if (!version.empty()) facts.version = version;
    facts.has_memory_limit = field_in(*info, "maxmemory") != "0";
    facts.eviction_policy = field_in(*info, "maxmemory_policy");
  }
  if (!info || facts.eviction_policy.empty()) {
    facts.eviction_policy =
        allowed_text(client, RedisCommands().add("CONFIG", "GET", "maxmemory-policy"), key)
            .value_or("unknown");
  }
  return facts;
}

void print_eviction_warning(const ServerFacts& server) {
  print_message(
      fmt::format("warning: the server may drop this filter to make room (maxmemory-policy {})",
                  server.eviction_policy));
}

}  // namespace bloometry::redis_cli
