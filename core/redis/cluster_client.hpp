#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_client.hpp"
#include "core/redis/redis_connection.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"
#include "core/redis/slot_map.hpp"

namespace bloometry {

/// Client of a Redis Cluster, which sends each command to the master of the key's slot. The client
/// has one connection per server.
///
/// The client reads the slot map first from the seed (the server in the URL), and later from any
/// known server. A server that no longer has a slot replies with a redirection (MOVED or ASK). The
/// client follows at most kMaxHops redirections in a row. After a lost connection, during a
/// failover, or if the slot is moving (TRYAGAIN), it reads the map and sends all commands of the
/// call again. The RetryPolicy limits the number of attempts.
class RedisCluster final : public RedisClient {
 public:
  /// Maximum number of redirections that the client follows in one attempt.
  static constexpr unsigned kMaxHops = 5;

  /// Stores the seed without connecting to the server.
  /// @param seed any server of the cluster; its user and password apply to all servers
  /// @throws ConfigError if the database of the seed is not 0, because a cluster has only database
  /// 0
  explicit RedisCluster(RedisUrl seed, const RedisTimeouts& timeouts = {},
                        const RetryPolicy& retry = kClusterRetryPolicy);

  /// Runs the commands as RedisClient::run does. If the key is empty, the client sends the commands
  /// to any master.
  /// @throws RedisError under the conditions of RedisClient::run, and if the client would have to
  /// follow more than kMaxHops redirections. The error message names the server, or the seed if the
  /// error does not concern a single server.
  [[nodiscard]] std::vector<RedisReply> run(std::string_view key,
                                            const RedisCommands& commands) override;

  /// Returns a name such as `cluster redis://localhost:7000/0`, with the URL of the seed.
  [[nodiscard]] std::string name() const override { return "cluster " + seed_.name(); }

  [[nodiscard]] bool is_cluster() const noexcept override { return true; }

 private:
  [[nodiscard]] std::vector<RedisReply> attempt(std::string_view key,
                                                const RedisCommands& commands);
  [[nodiscard]] NodeAddress node_for(std::string_view key) const;
  [[nodiscard]] std::vector<RedisReply> exchange(const NodeAddress& node,
                                                 const RedisCommands& commands);
  [[nodiscard]] std::vector<RedisReply> exchange_asking(const NodeAddress& node,
                                                        const RedisCommands& commands);
  [[nodiscard]] std::optional<Redirection> redirection_in(const std::vector<RedisReply>& replies,
                                                          const NodeAddress& node) const;
  void learn(const Redirection& moved);
  void read_map();
  [[nodiscard]] std::vector<NodeAddress> nodes_to_try();
  void read_map_from(const NodeAddress& node);

  [[nodiscard]] RedisUrl url_of(const NodeAddress& node) const;

  RedisUrl seed_;
  RedisTimeouts timeouts_;
  RetryPolicy retry_;
  SlotMap map_;
  bool is_map_doubtful_ = false;  // whether the map must be read before the next attempt
  std::map<NodeAddress, RedisConnection> connections_;
  std::optional<NodeAddress> failed_;  // the server at which the latest attempt failed
  std::size_t num_map_reads_ = 0;
};

}  // namespace bloometry
