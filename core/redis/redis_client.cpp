#include "core/redis/redis_client.hpp"

#include "core/redis/redis_error.hpp"

namespace bloometry {
namespace {

/// Returns the beginning of an error message: the name of the server, and the key if it is not
/// empty.
std::string source_of(const RedisClient& client, std::string_view key) {
  if (key.empty()) return client.name();
  return client.name() + ": key '" + std::string(key) + "'";
}

[[noreturn]] void refuse(const std::string& source, std::string_view error) {
  throw RedisError(RedisFailure::kRefused, source + ": " + std::string(error),
                   std::string(error.substr(0, error.find(' '))));
}

}  // namespace

RedisReply RedisClient::transaction(std::string_view key, const RedisCommands& commands) {
  RedisCommands all;
  all.add("MULTI").append(commands).add("EXEC");
  std::vector<RedisReply> replies = run(key, all);
  const std::string source = source_of(*this, key);
  // If the server refuses to queue a command, the reply to that command states the reason. The
  // reply to EXEC only states that a command was refused.
  for (const RedisReply& reply : replies) {
    if (reply.view().is_error()) refuse(source, reply.view().error());
  }
  RedisReply& last = replies.back();
  const ReplyView results = last.view();
  if (!results.is_array() || results.size() != commands.size()) {
    refuse(source,
           "the reply of EXEC must be an array of " + std::to_string(commands.size()) +
               " elements, got " +
               (results.is_array() ? std::to_string(results.size()) : std::string(results.kind())));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].is_error()) refuse(source, results[i].error());
  }
  last.set_source(source);
  return std::move(last);
}

void RedisClient::fail(RedisFailure failure, std::string_view key, const std::string& what) const {
  throw RedisError(failure, name() + ": key '" + std::string(key) + "' " + what);
}

RedisReply RedisClient::command(std::string_view key, const RedisCommands& command) {
  std::vector<RedisReply> replies = run(key, command);
  const ReplyView reply = replies.back().view();
  const std::string source = source_of(*this, key);
  if (reply.is_error()) refuse(source, reply.error());
  replies.back().set_source(source);
  return std::move(replies.back());
}

}  // namespace bloometry
