#include "tests/redis/redis_cluster_process.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "core/error.hpp"
#include "core/redis/cluster_slots.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_server.hpp"
#include "core/redis/slot_map.hpp"

namespace bloometry::test {
namespace {

constexpr std::chrono::seconds kLongestWait{30};

std::unique_ptr<RedisProcess> start_node() {
  return std::make_unique<RedisProcess>(std::vector<std::string>{
      "--cluster-enabled", "yes", "--cluster-port", std::to_string(free_port()),
      "--cluster-node-timeout", "1000", "--repl-diskless-sync-delay", "0",
      // The value 0 allows a failover to a replica that was stopped for longer than the timeout.
      "--cluster-replica-validity-factor", "0"});
}

}  // namespace

void wait_until(const std::string& what, const std::function<bool()>& is_so) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  std::string last;
  while (std::chrono::steady_clock::now() < deadline) {
    try {
      if (is_so()) return;
      last.clear();
    } catch (const RedisError& error) {
      last = error.what();  // the server is starting, or its master is unknown
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw IoError("the cluster does not get there within 30 s: " + what +
                (last.empty() ? "" : "; last error: " + last));
}

std::string_view info_field(std::string_view info, std::string_view name) {
  const std::string begin = std::string(name) + ":";
  std::size_t at = info.find(begin);
  if (at == std::string_view::npos) return {};
  at += begin.size();
  return info.substr(at, info.find("\r\n", at) - at);
}

RedisClusterProcess& shared_cluster() {
  static RedisClusterProcess cluster;
  return cluster;
}

RedisClusterProcess::RedisClusterProcess() {
  for (std::size_t i = 0; i < 2 * kNumMasters; ++i) nodes_.push_back(start_node());
  for (std::size_t i = 0; i < num_nodes(); ++i) {
    ids_.emplace_back(command(i, "CLUSTER", "MYID").view().text());
  }
  join();
  replicate();
  wait_until_healthy();
}

void RedisClusterProcess::join() {
  for (std::size_t i = 0; i < kNumMasters; ++i) {
    const std::size_t first = i * kNumClusterSlots / kNumMasters;
    const std::size_t last = (i + 1) * kNumClusterSlots / kNumMasters - 1;
    command(i, "CLUSTER", "ADDSLOTSRANGE", first, last);
    command(i, "CLUSTER", "SET-CONFIG-EPOCH", i + 1);
  }
  for (std::size_t i = 1; i < num_nodes(); ++i) {
    const RedisReply port = command(i, "CONFIG", "GET", "cluster-port");
    command(0, "CLUSTER", "MEET", "127.0.0.1", node(i).port(), port.view()[1].text());
  }
}

void RedisClusterProcess::replicate() {
  for (std::size_t i = kNumMasters; i < num_nodes(); ++i) {
    const std::string& master = id_of(i - kNumMasters);
    wait_until("a replica knows its master", [&] {
      command(i, "CLUSTER", "REPLICATE", master);
      return true;
    });
  }
}

bool RedisClusterProcess::is_healthy(std::size_t i) {
  const RedisReply cluster = command(i, "CLUSTER", "INFO");
  const std::string_view state = cluster.view().text();
  if (info_field(state, "cluster_state") != "ok" ||
      info_field(state, "cluster_slots_ok") != std::to_string(kNumClusterSlots) ||
      info_field(state, "cluster_known_nodes") != std::to_string(num_nodes())) {
    return false;
  }
  const RedisReply replication = command(i, "INFO", "replication");
  const std::string_view info = replication.view().text();
  if (info_field(info, "role") == "slave") return info_field(info, "master_link_status") == "up";
  return info.find("state=online") != std::string_view::npos;
}

void RedisClusterProcess::wait_until_healthy() {
  for (std::size_t i = 0; i < num_nodes(); ++i) {
    wait_until("server " + std::to_string(i) + " is healthy", [&] { return is_healthy(i); });
  }
  wait_until("all servers agree on masters and epochs", [&] { return do_all_agree(); });
}

bool RedisClusterProcess::do_all_agree() {
  // The compared ranges include replicas, because a master ignores a failover request from an
  // unknown replica.
  const auto view_of = [&](std::size_t i) {
    const RedisReply slots = command(i, "CLUSTER", "SLOTS");
    std::vector<std::vector<std::int64_t>> ranges;
    for (std::size_t range = 0; range < slots.view().size(); ++range) {
      const ReplyView reply = slots.view()[range];
      std::vector<std::int64_t> numbers = {reply[0].integer(), reply[1].integer()};
      for (std::size_t at = 2; at < reply.size(); ++at) numbers.push_back(reply[at][1].integer());
      std::sort(numbers.begin() + 3, numbers.end());  // the ports of the replicas
      ranges.push_back(numbers);
    }
    std::sort(ranges.begin(), ranges.end());
    return ranges;
  };
  const auto first = view_of(0);
  const std::string epoch = current_epoch_of(0);
  for (std::size_t i = 1; i < num_nodes(); ++i) {
    if (view_of(i) != first || current_epoch_of(i) != epoch) return false;
  }
  return true;
}

bool RedisClusterProcess::has_caught_up(std::size_t replica, std::size_t master) {
  const auto number = [](std::string_view text) {
    return text.empty() ? -1 : std::stoll(std::string(text));
  };
  // The master's offset is read first, because the offset may increase between the two commands.
  const RedisReply of_master = command(master, "INFO", "replication");
  const RedisReply of_replica = command(replica, "INFO", "replication");
  const std::string_view info = of_replica.view().text();
  return info_field(info, "role") == "slave" && info_field(info, "master_link_status") == "up" &&
         info_field(info, "master_port") == std::to_string(node(master).port()) &&
         number(info_field(info, "slave_repl_offset")) >=
             number(info_field(of_master.view().text(), "master_repl_offset"));
}

std::size_t RedisClusterProcess::fail_over(unsigned slot) {
  // A replica abandons a failover after 5 s. A master ignores the request of a replica that it does
  // not recognise yet. The other masters vote on the failover of a master only once per two node
  // timeouts.
  constexpr auto kGivenUp = std::chrono::milliseconds(5500);
  wait_until_healthy();
  const std::size_t master = master_of(slot);
  const std::size_t replica = replica_of(master);
  wait_until("replica " + std::to_string(replica) + " has what its master has",
             [&] { return has_caught_up(replica, master); });
  command(replica, "CLUSTER", "FAILOVER");
  auto sent = std::chrono::steady_clock::now();
  wait_until("server " + std::to_string(replica) + " is master of slot " + std::to_string(slot),
             [&] {
               if (master_of(slot, replica) == replica) return true;
               if (std::chrono::steady_clock::now() - sent < kGivenUp) return false;
               wait_until("replica " + std::to_string(replica) + " has what its master has",
                          [&] { return has_caught_up(replica, master); });
               sent = std::chrono::steady_clock::now();
               ++num_repeated_failovers_;
               command(replica, "CLUSTER", "FAILOVER");
               return false;
             });
  wait_until_healthy();
  return replica;
}

RedisReply RedisClusterProcess::run(std::size_t i, const RedisCommands& command) {
  RedisServer server(node(i).url(), {}, {.max_attempts = 1});
  return server.command("", command);
}

std::size_t RedisClusterProcess::master_of(unsigned slot, std::size_t queried) {
  const RedisReply reply = command(queried, "CLUSTER", "SLOTS");
  const SlotMap map(reply.view(), "127.0.0.1");
  const NodeAddress* master = map.master_of(slot);
  for (std::size_t i = 0; i < num_nodes(); ++i) {
    if (master != nullptr && master->port == node(i).port()) return i;
  }
  throw IoError("slot " + std::to_string(slot) + " has no master");
}

std::size_t RedisClusterProcess::replica_of(std::size_t i) {
  const RedisReply replicas = command(i, "INFO", "replication");
  for (std::size_t other = 0; other < num_nodes(); ++other) {
    const std::string entry = "port=" + std::to_string(node(other).port()) + ",state=online";
    if (replicas.view().text().find(entry) != std::string_view::npos) return other;
  }
  throw IoError("server " + std::to_string(i) + " has no replica that is synchronised");
}

std::string RedisClusterProcess::current_epoch_of(std::size_t i) {
  const RedisReply info = command(i, "CLUSTER", "INFO");
  return std::string(info_field(info.view().text(), "cluster_current_epoch"));
}

void RedisClusterProcess::move_slot(unsigned slot, std::size_t to, unsigned keys_at_once) {
  const std::size_t from = master_of(slot, to);
  if (from == to) return;
  command(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", id_of(from));
  command(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", id_of(to));
  for (;;) {
    const RedisReply keys = command(from, "CLUSTER", "GETKEYSINSLOT", slot, keys_at_once);
    const std::size_t num_keys = keys.view().size();
    if (num_keys == 0) break;
    RedisCommands migrate;
    migrate.begin(7 + num_keys).argument("MIGRATE").argument("127.0.0.1").argument(node(to).port());
    migrate.argument("").argument(0).argument(5000).argument("KEYS");
    for (std::size_t i = 0; i < num_keys; ++i) migrate.argument(keys.view()[i].text());
    run(from, migrate);
  }
  // The new master receives the command first, so that the slot has a master even if the old master
  // stops now.
  command(to, "CLUSTER", "SETSLOT", slot, "NODE", id_of(to));
  command(from, "CLUSTER", "SETSLOT", slot, "NODE", id_of(to));
  // All servers must have the slot's new epoch before the slot is moved again. Otherwise a server
  // could accept the next move under an old epoch, and the servers would disagree permanently.
  wait_until("all servers know where slot " + std::to_string(slot) + " is", [&] {
    for (std::size_t i = 0; i < num_nodes(); ++i) {
      if (master_of(slot, i) != to || current_epoch_of(i) != current_epoch_of(to)) return false;
    }
    return true;
  });
}

}  // namespace bloometry::test
