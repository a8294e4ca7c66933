#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/redis_commands.hpp"
#include "core/redis/redis_reply.hpp"
#include "core/redis/redis_url.hpp"
#include "tests/redis/redis_process.hpp"

namespace bloometry::test {

/// A cluster on loopback with three masters and three replicas. Each master has a third of the
/// slots and one replica. The node timeout is 1 s. A replica therefore replaces a lost master after
/// 2 to 4 s.
class RedisClusterProcess {
 public:
  static constexpr std::size_t kNumMasters = 3;

  /// Starts the servers. Returns when all slots are served and all replicas are synchronised.
  /// @throws IoError if the start takes longer than 30 s
  RedisClusterProcess();

  /// Returns server i. At the start, servers 0 to 2 are masters, and server i + 3 is the replica of
  /// master i.
  [[nodiscard]] RedisProcess& node(std::size_t i) { return *nodes_[i]; }

  [[nodiscard]] std::size_t num_nodes() const noexcept { return nodes_.size(); }

  /// Returns the URL of any server.
  [[nodiscard]] RedisUrl url() const { return nodes_.front()->url(); }

  /// Returns the node id of server i in the cluster.
  [[nodiscard]] const std::string& id_of(std::size_t i) const { return ids_[i]; }

  /// Sends a command to server i and returns its reply.
  /// @throws RedisError if the reply is an error
  template <class... Args>
  RedisReply command(std::size_t i, const Args&... args) {
    return run(i, RedisCommands().add(args...));
  }

  /// Returns the index of the slot's master, as reported by server `queried`.
  [[nodiscard]] std::size_t master_of(unsigned slot, std::size_t queried = 0);

  /// Returns the index of a synchronised replica of server i.
  /// @throws IoError if the server does not have a synchronised replica
  [[nodiscard]] std::size_t replica_of(std::size_t i);

  /// Moves a slot with all its keys to another master.
  /// @param keys_at_once number of keys per MIGRATE; if 1, both masters briefly have a part of the
  /// slot
  void move_slot(unsigned slot, std::size_t to, unsigned keys_at_once);

  /// Replaces the master of the slot by its replica in a planned failover. Returns the index of the
  /// new master after all servers have recognised it. Repeats the request for a failover if the
  /// other masters refuse it.
  /// @throws IoError if the failover takes longer than 30 s
  std::size_t fail_over(unsigned slot);

  /// Returns the number of CLUSTER FAILOVER commands that were repeated so far.
  [[nodiscard]] std::uint64_t num_repeated_failovers() const noexcept {
    return num_repeated_failovers_;
  }

  /// Waits until all servers run and agree on masters, epochs and synchronised replicas.
  /// @throws IoError if the wait takes longer than 30 s
  void wait_until_healthy();

 private:
  RedisReply run(std::size_t i, const RedisCommands& command);
  void join();
  void replicate();
  [[nodiscard]] bool is_healthy(std::size_t i);
  [[nodiscard]] bool do_all_agree();
  [[nodiscard]] bool has_caught_up(std::size_t replica, std::size_t master);
  [[nodiscard]] std::string current_epoch_of(std::size_t i);

  std::vector<std::unique_ptr<RedisProcess>> nodes_;
  std::vector<std::string> ids_;
  std::uint64_t num_repeated_failovers_ = 0;
};

/// Waits until the condition holds. A condition that throws RedisError counts as false.
/// @throws IoError after 30 s; the message names the condition and the last RedisError
void wait_until(const std::string& what, const std::function<bool()>& is_so);

/// Returns the cluster that all tests of a program share. Each test must leave the cluster healthy
/// and without keys.
[[nodiscard]] RedisClusterProcess& shared_cluster();

/// Returns the value of a field in a reply to INFO, or an empty string if the field does not exist.
/// For the line `master_link_status:up`, the value is `up`.
[[nodiscard]] std::string_view info_field(std::string_view info, std::string_view name);

}  // namespace bloometry::test
