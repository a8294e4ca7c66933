#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_reply.hpp"

namespace bloometry {

/// The address of a server of a cluster.
struct NodeAddress {
  std::string host{};
  std::uint16_t port = 0;

  friend auto operator<=>(const NodeAddress&, const NodeAddress&) = default;
};

/// The master of each slot of a cluster, as reported by one of its servers.
class SlotMap {
 public:
  /// Makes a map without servers.
  SlotMap() = default;

  /// Reads the reply of CLUSTER SLOTS. Its elements are arrays: first slot, last slot, master, and
  /// replicas.
  /// @param server_host host of the server that replied, used for servers whose entry does not name
  /// a host
  /// @throws RedisError, kRefused, if the reply has another form
  SlotMap(const ReplyView& reply, const std::string& server_host);

  /// Returns whether the map does not contain any master.
  [[nodiscard]] bool is_empty() const noexcept { return nodes_.empty(); }

  /// Returns the master of the slot; null if the slot is not assigned.
  [[nodiscard]] const NodeAddress* master_of(unsigned slot) const noexcept;

  void set_master(unsigned slot, const NodeAddress& master);

  /// Returns all servers without duplicates, masters first.
  [[nodiscard]] const std::vector<NodeAddress>& nodes() const noexcept { return nodes_; }

  [[nodiscard]] bool is_master(const NodeAddress& node) const noexcept;

 private:
  [[nodiscard]] std::size_t number_of(const NodeAddress& node);

  std::vector<NodeAddress> nodes_;
  std::vector<std::int32_t> masters_;  // index in nodes_ of each slot's master; -1: none
};

/// A server's reply that another server has the slot.
struct Redirection {
  bool is_for_once = false;  ///< ASK: the slot is moving there; otherwise MOVED
  unsigned slot = 0;
  NodeAddress node{};
};

/// Reads `MOVED 3999 10.0.0.1:6381` or `ASK 3999 10.0.0.1:6381`; returns nothing for other errors.
/// @param server_host host of the server that replied, used for replies such as `MOVED 3999 :6381`
[[nodiscard]] std::optional<Redirection> parse_redirection(std::string_view error,
                                                           const std::string& server_host);

}  // namespace bloometry
