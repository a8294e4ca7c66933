#include "core/redis/cluster_client.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/redis/cluster_slots.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_server.hpp"

namespace bloometry {
namespace {

/// Placeholder for the address of the seed, because a seed on a Unix socket has no NodeAddress.
const NodeAddress kSeed{};

/// Returns whether reply i is the reply to an ASKING command that RedisCommands::with_asking added.
bool is_to_asking(std::size_t i, std::size_t num_replies, std::size_t num_commands) {
  const bool is_transaction = num_replies == num_commands + 1;
  return is_transaction ? i == 0 : i % 2 == 0;
}

}  // namespace

RedisCluster::RedisCluster(RedisUrl seed, const RedisTimeouts& timeouts, const RetryPolicy& retry)
    : seed_(std::move(seed)), timeouts_(timeouts), retry_(retry) {
  if (seed_.database != 0) {
    throw ConfigError("database", "must be 0 in a cluster, got " + std::to_string(seed_.database));
  }
}

std::vector<RedisReply> RedisCluster::run(std::string_view key, const RedisCommands& commands) {
  Attempts attempts(retry_);
  std::string last;
  do {
    try {
      if (map_.is_empty() || is_map_doubtful_) read_map();
      is_map_doubtful_ = false;
      return attempt(key, commands);
    } catch (const RedisError& error) {
      if (error.failure() != RedisFailure::kUnreachable) throw;
      is_map_doubtful_ = true;  // stays true for the next call if this attempt is the last one
      last = error.what();
    }
  } while (attempts.wait_for_next());
  throw RedisError(RedisFailure::kUnreachable,
                   last + " (" + std::to_string(attempts.num_made()) +
                       (attempts.num_made() == 1 ? " attempt)" : " attempts)"));
}

std::vector<RedisReply> RedisCluster::attempt(std::string_view key, const RedisCommands& commands) {
  NodeAddress node = node_for(key);
  std::vector<RedisReply> replies = exchange(node, commands);
  for (unsigned num_hops = 0;; ++num_hops) {
    const auto redirection = redirection_in(replies, node);
    if (!redirection) return replies;
    if (num_hops == kMaxHops) {
      throw RedisError(RedisFailure::kRefused,
                       name() + ": slot " + std::to_string(redirection->slot) +
                           " was not found in " + std::to_string(kMaxHops) +
                           " redirections; the last server, " + url_of(node).name() +
                           ", redirects to " + url_of(redirection->node).name());
    }
    node = redirection->node;
    if (redirection->is_for_once) {
      replies = exchange_asking(node, commands);
    } else {
      learn(*redirection);
      replies = exchange(node, commands);
    }
  }
}

NodeAddress RedisCluster::node_for(std::string_view key) const {
  if (key.empty()) {
    const NodeAddress* any = nullptr;
    for (const NodeAddress& node : map_.nodes()) {
      if (!map_.is_master(node)) continue;
      if (any == nullptr || *any == failed_) any = &node;
    }
    if (any != nullptr) return *any;
    throw RedisError(RedisFailure::kUnreachable, name() + ": the cluster does not have a master");
  }
  const unsigned slot = cluster_slot(key);
  if (const NodeAddress* master = map_.master_of(slot)) return *master;
  throw RedisError(RedisFailure::kUnreachable,
                   name() + ": slot " + std::to_string(slot) + " is not assigned to a server");
}

std::vector<RedisReply> RedisCluster::exchange(const NodeAddress& node,
                                               const RedisCommands& commands) {
  std::vector<RedisReply> replies;
  try {
    const auto connection = connections_.try_emplace(node, url_of(node), timeouts_).first;
    replies = connection->second.exchange(commands);
  } catch (...) {
    connections_.erase(node);
    failed_ = node;
    throw;
  }
  if (const std::string error = passing_error_in(replies); !error.empty()) {
    failed_ = node;
    throw RedisError(RedisFailure::kUnreachable, url_of(node).name() + ": " + error);
  }
  return replies;
}

std::vector<RedisReply> RedisCluster::exchange_asking(const NodeAddress& node,
                                                      const RedisCommands& commands) {
  std::vector<RedisReply> replies = exchange(node, commands.with_asking());
  std::vector<RedisReply> kept;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!is_to_asking(i, replies.size(), commands.size())) {
      kept.push_back(std::move(replies[i]));
    } else if (const ReplyView reply = replies[i].view(); reply.is_error()) {
      throw RedisError(RedisFailure::kRefused,
                       url_of(node).name() + ": " + std::string(reply.error()));
    }
  }
  return kept;
}

std::optional<Redirection> RedisCluster::redirection_in(const std::vector<RedisReply>& replies,
                                                        const NodeAddress& node) const {
  // The array of EXEC does not contain redirections, because a redirected command is never queued.
  for (const RedisReply& reply : replies) {
    auto redirection = parse_redirection(reply.view().error(), url_of(node).host);
    if (redirection) return redirection;
  }
  return std::nullopt;
}

void RedisCluster::learn(const Redirection& moved) {
  try {
    read_map_from(moved.node);
  } catch (const RedisError&) {
    // The error is ignored, because run() will report the error when it sends the commands to the
    // new server.
  }
  // The slot is set after the read, because the map of the new server may be older than the
  // redirection.
  map_.set_master(moved.slot, moved.node);
}

void RedisCluster::read_map() {
  std::optional<RedisError> last;
  for (const NodeAddress& node : nodes_to_try()) {
    try {
      read_map_from(node);
      return;
    } catch (const RedisError& error) {
      last = error;
    }
  }
  throw RedisError(*last);
}

std::vector<NodeAddress> RedisCluster::nodes_to_try() {
  std::vector<NodeAddress> nodes = map_.nodes();
  // Every read of the map starts with a different server, because the previous server may be
  // isolated from the cluster and have an old map.
  if (!nodes.empty()) {
    const auto first = static_cast<std::ptrdiff_t>(num_map_reads_++ % nodes.size());
    std::rotate(nodes.begin(), nodes.begin() + first, nodes.end());
  }
  nodes.push_back(kSeed);
  std::stable_partition(nodes.begin(), nodes.end(),
                        [&](const NodeAddress& node) { return node != failed_; });
  return nodes;
}

void RedisCluster::read_map_from(const NodeAddress& node) {
  const std::vector<RedisReply> replies = exchange(node, RedisCommands().add("CLUSTER", "SLOTS"));
  const RedisUrl url = url_of(node);
  SlotMap map;
  try {
    map = SlotMap(replies.front().view(), url.host.empty() ? "localhost" : url.host);
  } catch (const RedisError& error) {
    throw RedisError(error.failure(), url.name() + ": " + error.what());
  }
  if (map.is_empty()) {
    throw RedisError(RedisFailure::kUnreachable,
                     url.name() + ": the server does not report any server with slots");
  }
  map_ = std::move(map);
  std::erase_if(connections_, [&](const auto& connection) {
    const auto& nodes = map_.nodes();
    return connection.first != node &&
           std::find(nodes.begin(), nodes.end(), connection.first) == nodes.end();
  });
}

RedisUrl RedisCluster::url_of(const NodeAddress& node) const {
  RedisUrl url = seed_;
  if (node == kSeed) return url;
  url.socket.clear();
  url.host = node.host;
  url.port = node.port;
  return url;
}

}  // namespace bloometry
