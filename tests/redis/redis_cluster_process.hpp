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

/// A real cluster on loopback: three masters with a third of the slots each, and a replica of each.
/// The node timeout is 1 s: a master that is lost is replaced after 2 to 4 s.
class RedisClusterProcess {
 public:
  static constexpr std::size_t kNumMasters = 3;

  /// Starts the servers and returns when all slots are served and all replicas are synchronised.
  /// @throws IoError if that takes longer than 30 s
  RedisClusterProcess();

  /// Server i; at the start 0 to 2 are masters, and i + 3 is the replica of i.
  [[nodiscard]] RedisProcess& node(std::size_t i) { return *nodes_[i]; }

  [[nodiscard]] std::size_t num_nodes() const noexcept { return nodes_.size(); }

  /// Any server, to connect to.
  [[nodiscard]] RedisUrl url() const { return nodes_.front()->url(); }

  /// The id that the server has in the cluster.
  [[nodiscard]] const std::string& id_of(std::size_t i) const { return ids_[i]; }

  /// Sends a command to server i and returns its reply. @throws RedisError if it is an error
  template <class... Args>
  RedisReply command(std::size_t i, const Args&... args) {
    return run(i, RedisCommands().add(args...));
  }

  /// The number of the server that is the master of the slot, as server `asked` sees it.
  [[nodiscard]] std::size_t master_of(unsigned slot, std::size_t asked = 0);

  /// The number of a replica of server i. @throws IoError if it has none that is synchronised
  [[nodiscard]] std::size_t replica_of(std::size_t i);

  /// Moves a slot with all its keys to another master. @param keys_at_once of MIGRATE: with 1 the
  /// slot is cut in half for a moment
  void move_slot(unsigned slot, std::size_t to, unsigned keys_at_once);

  /// Replaces the master of the slot by its replica as planned, and returns the new master when all
  /// servers agree on it. Asks for it again when the other masters refuse it.
  /// @throws IoError after 30 s
  std::size_t fail_over(unsigned slot);

  /// CLUSTER FAILOVER that had to be sent again so far.
  [[nodiscard]] std::uint64_t num_repeated_failovers() const noexcept {
    return num_repeated_failovers_;
  }

  /// Returns when all servers run and agree that all is well: masters, epochs, and replicas that
  /// have caught up. @throws IoError after 30 s
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

/// Returns when the condition holds; a RedisError of it counts as no.
/// @throws IoError naming what was waited for, and the last RedisError, after 30 s
void wait_until(const std::string& what, const std::function<bool()>& is_so);

/// A cluster for all tests of a program, which leave it healthy and without keys.
[[nodiscard]] RedisClusterProcess& shared_cluster();

/// `master_link_status:up` has the value `up`; empty if the text of INFO has no such line.
[[nodiscard]] std::string_view info_field(std::string_view info, std::string_view name);

}  // namespace bloometry::test
