#include "core/redis/slot_map.hpp"

#include <algorithm>
#include <charconv>

#include "core/redis/cluster_slots.hpp"
#include "core/redis/redis_error.hpp"

namespace bloometry {
namespace {

constexpr std::int32_t kNone = -1;

template <class Number>
std::optional<Number> parse_number(std::string_view text, Number max) {
  Number number{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last || number > max) return std::nullopt;
  return number;
}

std::int64_t checked(std::int64_t number, std::int64_t max) {
  if (number >= 0 && number <= max) return number;
  throw RedisError(RedisFailure::kRefused, "the reply of CLUSTER SLOTS must have numbers in [0, " +
                                               std::to_string(max) + "], got " +
                                               std::to_string(number));
}

/// Returns the address of a node, whose host and port are the first two elements of an array.
/// Ignores the other elements.
NodeAddress parse_node(const ReplyView& reply, const std::string& server_host) {
  NodeAddress node;
  if (!reply[0].is_nil()) node.host = reply[0].text();
  if (node.host.empty()) node.host = server_host;
  node.port = static_cast<std::uint16_t>(checked(reply[1].integer(), 65535));
  return node;
}

}  // namespace

SlotMap::SlotMap(const ReplyView& reply, const std::string& server_host)
    : masters_(kNumClusterSlots, kNone) {
  for (std::size_t i = 0; i < reply.size(); ++i) {
    const ReplyView range = reply[i];
    const auto first = static_cast<unsigned>(checked(range[0].integer(), kNumClusterSlots - 1));
    const auto last = static_cast<unsigned>(checked(range[1].integer(), kNumClusterSlots - 1));
    const NodeAddress master = parse_node(range[2], server_host);
    for (unsigned slot = first; slot <= last; ++slot) set_master(slot, master);
  }
  for (std::size_t i = 0; i < reply.size(); ++i) {
    for (std::size_t replica = 3; replica < reply[i].size(); ++replica) {
      static_cast<void>(number_of(parse_node(reply[i][replica], server_host)));
    }
  }
}

const NodeAddress* SlotMap::master_of(unsigned slot) const noexcept {
  if (slot >= masters_.size() || masters_[slot] == kNone) return nullptr;
  return &nodes_[static_cast<std::size_t>(masters_[slot])];
}

void SlotMap::set_master(unsigned slot, const NodeAddress& master) {
  masters_.resize(kNumClusterSlots, kNone);
  masters_[slot] = static_cast<std::int32_t>(number_of(master));
}

bool SlotMap::is_master(const NodeAddress& node) const noexcept {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  const auto number = static_cast<std::int32_t>(found - nodes_.begin());
  return std::find(masters_.begin(), masters_.end(), number) != masters_.end();
}

std::size_t SlotMap::number_of(const NodeAddress& node) {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  const auto number = static_cast<std::size_t>(found - nodes_.begin());
  if (found == nodes_.end()) nodes_.push_back(node);
  return number;
}

std::optional<Redirection> parse_redirection(std::string_view error,
                                             const std::string& server_host) {
  Redirection redirection;
  if (error.starts_with("ASK ")) {
    redirection.is_for_once = true;
  } else if (!error.starts_with("MOVED ")) {
    return std::nullopt;
  }
  error.remove_prefix(error.find(' ') + 1);
  const std::size_t space = error.find(' ');
  const std::size_t colon = error.rfind(':');
  if (space == std::string_view::npos || colon == std::string_view::npos || colon < space) {
    return std::nullopt;
  }
  const auto slot = parse_number<unsigned>(error.substr(0, space), kNumClusterSlots - 1);
  const auto port = parse_number<std::uint16_t>(error.substr(colon + 1), 65535);
  if (!slot || !port) return std::nullopt;
  redirection.slot = *slot;
  redirection.node = {.host = std::string(error.substr(space + 1, colon - space - 1)),
                      .port = *port};
  if (redirection.node.host.empty()) redirection.node.host = server_host;
  return redirection;
}

}  // namespace bloometry
