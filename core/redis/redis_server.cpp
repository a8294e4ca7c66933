#include "core/redis/redis_server.hpp"

#include <algorithm>
#include <array>

#include "core/redis/redis_error.hpp"
#include "core/redis/slot_map.hpp"

namespace bloometry {

bool is_passing_error(std::string_view error) noexcept {
  constexpr std::array<std::string_view, 5> kPassing = {"LOADING", "TRYAGAIN", "CLUSTERDOWN",
                                                        "MASTERDOWN", "UNBLOCKED"};
  return std::any_of(kPassing.begin(), kPassing.end(), [&](std::string_view code) {
    return error.starts_with(code) && (error.size() == code.size() || error[code.size()] == ' ');
  });
}

std::string passing_error_in(const std::vector<RedisReply>& replies) {
  for (const RedisReply& reply : replies) {
    const std::string_view error = reply.view().error();
    if (is_passing_error(error)) return std::string(error);
  }
  return {};
}

namespace {

/// Checks that the replies do not contain a redirection.
/// @throws RedisError if a reply names another server
void refuse_redirections(const std::vector<RedisReply>& replies, const RedisUrl& url) {
  for (const RedisReply& reply : replies) {
    const std::string_view error = reply.view().error();
    if (!parse_redirection(error, url.host)) continue;
    throw RedisError(RedisFailure::kRefused,
                     url.name() + ": the server belongs to a cluster, so its user needs the " +
                         "permission for INFO and CLUSTER SLOTS; it replied '" +
                         std::string(error) + "'");
  }
}

}  // namespace

std::vector<RedisReply> RedisServer::run(std::string_view /*key*/, const RedisCommands& commands) {
  Attempts attempts(retry_);
  std::string last;
  do {
    try {
      if (!connection_) connection_.emplace(url_, timeouts_);
      std::vector<RedisReply> replies = connection_->exchange(commands);
      last = passing_error_in(replies);
      refuse_redirections(replies, url_);
      if (last.empty()) return replies;
      last = name() + ": " + last;
    } catch (const RedisError& error) {
      connection_.reset();
      if (error.failure() != RedisFailure::kUnreachable) throw;
      last = error.what();
    } catch (...) {
      connection_.reset();
      throw;
    }
  } while (attempts.wait_for_next());
  throw RedisError(RedisFailure::kUnreachable,
                   last + " (" + std::to_string(attempts.num_made()) +
                       (attempts.num_made() == 1 ? " attempt)" : " attempts)"));
}

}  // namespace bloometry
