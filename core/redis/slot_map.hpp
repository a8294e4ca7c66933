#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_reply.hpp"

namespace bloometry {

/// Address of a server of a cluster.
struct NodeAddress {
  std::string host{};
  std::uint16_t port = 0;

  friend auto operator<=>(const NodeAddress&, const NodeAddress&) = default;
};

/// Table of the master of each slot of a cluster, as reported by one server of the cluster.
class SlotMap {
 public:
  /// Makes a map without servers.
  SlotMap() = default;

  /// Reads the reply of CLUSTER SLOTS. The elements of the reply are arrays with the first slot,
  /// the last slot, the master and the replicas.
  /// @param server_host host of the server that replied, for servers whose entry does not name a
  /// host
  /// @throws RedisError, with kRefused, if the reply has another form
  SlotMap(const ReplyView& reply, const std::string& server_host);

  /// Returns whether the map does not contain any server.
  [[nodiscard]] bool is_empty() const noexcept { return nodes_.empty(); }

  /// Returns the master of the slot, or null if the slot is not assigned.
  [[nodiscard]] const NodeAddress* master_of(unsigned slot) const noexcept;

  void set_master(unsigned slot, const NodeAddress& master);

  /// Returns all servers without duplicates. The masters in the reply of CLUSTER SLOTS come first.
  [[nodiscard]] const std::vector<NodeAddress>& nodes() const noexcept { return nodes_; }

  [[nodiscard]] bool is_master(const NodeAddress& node) const noexcept;

 private:
  [[nodiscard]] std::size_t number_of(const NodeAddress& node);

  std::vector<NodeAddress> nodes_;
  std::vector<std::int32_t> masters_;  // index in nodes_ for each slot; -1 if unassigned
};

/// Reply of a server that does not have the slot, with the server that has the slot.
struct Redirection {
  bool is_for_once = false;  ///< true for ASK (the slot is moving), false for MOVED
  unsigned slot = 0;
  NodeAddress node{};
};

/// Parses an error reply such as `MOVED 3999 10.0.0.1:6381` or `ASK 3999 10.0.0.1:6381`. Returns
/// std::nullopt for other replies.
/// @param server_host host of the server that replied, for replies such as `MOVED 3999 :6381`
[[nodiscard]] std::optional<Redirection> parse_redirection(std::string_view error,
                                                           const std::string& server_host);

}  // namespace bloometry
