#include "core/redis/redis_client.hpp"

#include "core/redis/redis_error.hpp"

namespace bloometry {
namespace {

[[noreturn]] void refuse(const RedisClient& client, std::string_view error) {
  throw RedisError(RedisFailure::kRefused, client.name() + ": " + std::string(error));
}

}  // namespace

RedisReply RedisClient::transaction(std::string_view key, const RedisCommands& commands) {
  RedisCommands all;
  all.add("MULTI").append(commands).add("EXEC");
  std::vector<RedisReply> replies = run(key, all);
  // A command that is refused when it is queued says why; EXEC then only says that it was.
  for (const RedisReply& reply : replies) {
    if (reply.view().is_error()) refuse(*this, reply.view().error());
  }
  RedisReply& last = replies.back();
  const ReplyView results = last.view();
  if (!results.is_array() || results.size() != commands.size()) {
    refuse(*this, "EXEC must reply with an array of as many elements as there were commands");
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].is_error()) refuse(*this, results[i].error());
  }
  return std::move(last);
}

RedisReply RedisClient::command(std::string_view key, const RedisCommands& command) {
  std::vector<RedisReply> replies = run(key, command);
  const ReplyView reply = replies.back().view();
  if (reply.is_error()) refuse(*this, reply.error());
  return std::move(replies.back());
}

}  // namespace bloometry
