#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_reply.hpp"

namespace bloometry {

/// Where a server of a cluster listens.
struct NodeAddress {
  std::string host{};
  std::uint16_t port = 0;

  friend auto operator<=>(const NodeAddress&, const NodeAddress&) = default;
};

/// Which server of a cluster is the master of each slot, as one of them sees it.
class SlotMap {
 public:
  /// A map that knows of no server.
  SlotMap() = default;

  /// Reads the reply of CLUSTER SLOTS. Its elements are arrays: first slot, last slot, master, and
  /// replicas. @param asked_host of the server that replied: the host of servers without one
  /// @throws RedisError, kRefused, if it is another reply
  SlotMap(const ReplyView& reply, const std::string& asked_host);

  /// Whether it knows the master of no slot.
  [[nodiscard]] bool is_empty() const noexcept { return nodes_.empty(); }

  /// Null if no server has the slot.
  [[nodiscard]] const NodeAddress* master_of(unsigned slot) const noexcept;

  void set_master(unsigned slot, const NodeAddress& master);

  /// All servers, each once: masters first.
  [[nodiscard]] const std::vector<NodeAddress>& nodes() const noexcept { return nodes_; }

  [[nodiscard]] bool is_master(const NodeAddress& node) const noexcept;

 private:
  [[nodiscard]] std::size_t number_of(const NodeAddress& node);

  std::vector<NodeAddress> nodes_;
  std::vector<std::int32_t> masters_;  // number in nodes_ of each slot's master; -1: none
};

/// A server's reply that another one has the slot.
struct Redirection {
  bool is_for_once = false;  ///< ASK: the slot is on its way there; else MOVED: it is there
  unsigned slot = 0;
  NodeAddress node{};
};

/// Reads `MOVED 3999 10.0.0.1:6381` or `ASK 3999 10.0.0.1:6381`. Nothing if the error is another.
/// @param asked_host of the server that replied: what `MOVED 3999 :6381` means
[[nodiscard]] std::optional<Redirection> parse_redirection(std::string_view error,
                                                           const std::string& asked_host);

}  // namespace bloometry
