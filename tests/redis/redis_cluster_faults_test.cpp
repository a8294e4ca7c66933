#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/redis/cluster_slots.hpp"
#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_error.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/query_stream.hpp"
#include "tests/redis/redis_cluster_process.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/standard/standard_filter.hpp"

// Tests that a query never reports a member absent while the cluster fails or moves slots.
namespace bloometry {
namespace {

using std::chrono::milliseconds;
using test::member_key;
using test::Observed;
using test::print_row;
using test::QueryStream;
using test::views_of;

constexpr std::uint64_t kNumMembers = 20000;
/// A spec with so low a rate that only one in 1000 lost keys tests positive by chance.
const FilterSpec kSpec{.capacity = 100000, .target_false_positive_rate = 0.001};

void load_members(RedisClient& client, const std::string& name, std::uint64_t num_members,
                  std::uint64_t num_shards) {
  Keyed<StandardFilter> filter(kSpec, 0);
  for (std::uint64_t i = 0; i < num_members; ++i) filter.insert(member_key(i));
  FilterImage image = image_of(filter.filter());
  file_detail::describe_hasher(filter.hasher(), image.header);
  load_into_redis(client, name, image, {.num_shards = num_shards});
}

void sleep(int ms) {
  std::this_thread::sleep_for(milliseconds(ms));
}

/// Returns the slots of all keys of the filter.
std::vector<unsigned> slots_of(const RedisLocation& location) {
  std::vector<unsigned> slots;
  for (const std::string& key : location.keys()) slots.push_back(cluster_slot(key));
  if (location.is_cut()) slots.push_back(cluster_slot(current_key(location.name)));
  return slots;
}

/// Moves every slot of the filter to the next master and back while members are queried.
void reshard_while_queried(std::uint64_t num_shards, std::uint64_t num_queries, int num_moves) {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  load_members(*client, "seen", kNumMembers, num_shards);
  const std::vector<unsigned> slots = slots_of(find_in_redis(*client, "seen"));

  QueryStream stream(cluster.url(), "seen", {.num_members = kNumMembers});
  int num_moved = 0;
  while (num_moved < num_moves || stream.num_queries() < num_queries) {
    for (const unsigned slot : slots) {
      const std::size_t home = cluster.master_of(slot);
      const std::size_t other = cluster.master_of((slot + kNumClusterSlots / 3) % kNumClusterSlots);
      // Moves one key at a time, so that each server briefly has a part of the slot.
      cluster.move_slot(slot, other, 1);
      sleep(5);
      cluster.move_slot(slot, home, 100);
      num_moved += 2;
    }
  }
  const Observed observed = stream.stop();
  print_row(
      "resharding, " + std::to_string(num_moved) + " moves, strings: " + std::to_string(num_shards),
      observed);
  CHECK(observed.num_absent == 0);
  CHECK(observed.num_queries >= num_queries);
  CHECK(observed.num_inserts > 0);
  // A query is retried for longer than the move of a slot takes.
  CHECK(observed.num_errors() == 0);
  CHECK(observed.num_insert_errors == 0);
  CHECK(drop_from_redis(*client, "seen"));
}

/// Replaces the master of the filter by its replica in a planned failover, while members are
/// queried.
void fail_over_while_queried(std::uint64_t num_queries, int num_failovers) {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  load_members(*client, "seen", kNumMembers, 1);
  const unsigned slot = cluster_slot("seen");

  QueryStream stream(cluster.url(), "seen", {.num_members = kNumMembers});
  int num_done = 0;
  while (num_done < num_failovers || stream.num_queries() < num_queries) {
    cluster.fail_over(slot);
    ++num_done;
    sleep(500);
  }
  const Observed observed = stream.stop();
  print_row("planned failover, " + std::to_string(num_done) + " times", observed);
  CHECK(observed.num_absent == 0);
  CHECK(observed.num_inserts > 0);
  CHECK(observed.num_errors() == 0);
  CHECK(observed.num_insert_errors == 0);
  CHECK(drop_from_redis(*client, "seen"));
}

/// Kills the master of the filter repeatedly while members are queried. A replica confirms every
/// insert.
void kill_masters_while_queried(std::uint64_t num_queries, int num_kills) {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  load_members(*client, "seen", kNumMembers, 1);
  const unsigned slot = cluster_slot("seen");

  QueryStream stream(cluster.url(), "seen", {.num_members = kNumMembers, .num_replicas = 1});
  int num_done = 0;
  while (num_done < num_kills || stream.num_queries() < num_queries) {
    sleep(500);
    const std::size_t master = cluster.master_of(slot);
    const std::size_t replica = cluster.replica_of(master);
    const std::uint64_t before = stream.num_queries();
    cluster.node(master).kill();
    test::wait_until("the replica takes over",
                     [&] { return cluster.master_of(slot, replica) == replica; });
    test::wait_until("queries are answered again", [&] { return stream.num_queries() > before; });
    cluster.node(master).restart();
    cluster.wait_until_healthy();
    ++num_done;
  }
  const Observed observed = stream.stop();
  print_row("SIGKILL of the master with WAIT 1, " + std::to_string(num_done) + " times", observed);
  CHECK(observed.num_absent == 0);
  CHECK(observed.num_inserts > 0);
  CHECK(drop_from_redis(*client, "seen"));
}

TEST_CASE("resharding does not make members absent", "[redis][cluster]") {
  reshard_while_queried(1, 400000, 40);
}

TEST_CASE("resharding of a filter in four strings does not make members absent",
          "[redis][cluster]") {
  reshard_while_queried(4, 100000, 40);
}

TEST_CASE("a planned failover loses no member", "[redis][cluster]") {
  fail_over_while_queried(400000, 2);
}

TEST_CASE("a killed master loses no member that a replica confirmed", "[redis][cluster]") {
  kill_masters_while_queried(200000, 1);
}

TEST_CASE("members are never absent in longer runs of faults", "[redis][cluster][.long]") {
  reshard_while_queried(1, 5000000, 1000);
  reshard_while_queried(4, 1000000, 1000);
  fail_over_while_queried(2000000, 10);
  kill_masters_while_queried(2000000, 10);
}

std::vector<std::string> members(std::uint64_t first, std::uint64_t last) {
  std::vector<std::string> keys;
  for (std::uint64_t i = first; i < last; ++i) keys.push_back(member_key(i));
  return keys;
}

std::uint64_t num_absent(RedisFilter& filter, std::uint64_t first, std::uint64_t last) {
  const auto answers = filter.query(views_of(members(first, last)));
  return static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), Presence::kAbsent));
}

/// Queries members until a query fails with kChanged because the server has lost keys. Counts all
/// answers and errors.
Observed query_until_changed(RedisFilter& filter, std::uint64_t num_members) {
  Observed observed;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (std::uint64_t i = 0; std::chrono::steady_clock::now() < deadline; ++i) {
    const RedisAnswer answer = filter.lookup(member_key(i % num_members));
    if (const RedisError* error = answer.error()) {
      ++observed.errors[error->failure()];
      if (error->failure() == RedisFailure::kChanged) break;
      sleep(1);
      continue;
    }
    ++observed.num_queries;
    ++observed.num_batches;
    if (answer.is_absent()) ++observed.num_absent;
  }
  return observed;
}

/// Stops the replica and closes its connection to the master, so that the replica does not receive
/// later data. If the connection stayed open, the replica would read data that the master sent
/// before the kill.
void cut_off(test::RedisClusterProcess& cluster, std::size_t master, int replica_pid) {
  REQUIRE(::kill(replica_pid, SIGSTOP) == 0);
  cluster.command(master, "CLIENT", "KILL", "TYPE", "replica");
}

TEST_CASE("a killed master loses what no replica had, and queries report the loss",
          "[redis][cluster]") {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  load_members(*client, "seen", 0, 1);
  const std::size_t master = cluster.master_of(cluster_slot("seen"));
  const std::size_t replica = cluster.replica_of(master);
  RedisFilter writer(client, find_in_redis(*client, "seen"), Xxh3Hasher(0));
  // This client does not retry, so that queries fail while the cluster is down.
  const auto impatient = connect_redis(cluster.url(), {}, {.max_attempts = 1});
  RedisFilter reader(impatient, find_in_redis(*impatient, "seen"), Xxh3Hasher(0));

  constexpr std::uint64_t kNumWaited = 1000;
  constexpr std::uint64_t kNumWritten = 2000;
  for (std::uint64_t i = 0; i < kNumWaited; i += 100) {
    writer.insert(views_of(members(i, i + 100)));
    writer.wait_for_replicas(1, milliseconds(4000));
  }
  const int replica_pid = cluster.node(replica).pid();
  cut_off(cluster, master, replica_pid);
  std::uint64_t num_unconfirmed = 0;
  for (std::uint64_t i = kNumWaited; i < kNumWritten; i += 100) {
    writer.insert(views_of(members(i, i + 100)));
    try {
      writer.wait_for_replicas(1, milliseconds(10));
    } catch (const RedisError&) {
      num_unconfirmed += 100;
    }
  }
  CHECK(num_unconfirmed == kNumWritten - kNumWaited);
  CHECK(num_absent(reader, 0, kNumWritten) == 0);

  cluster.node(master).kill();
  REQUIRE(::kill(replica_pid, SIGCONT) == 0);
  const Observed down = query_until_changed(reader, kNumWritten);
  print_row("SIGKILL of the master, replica cut off", down);
  CHECK(down.num_absent == 0);
  CHECK(down.num_queries == 0);
  CHECK(down.errors.at(RedisFailure::kUnreachable) > 0);
  CHECK(down.errors.at(RedisFailure::kChanged) == 1);
  CHECK(test::contains_text(
      test::message_of<RedisError>([&] { static_cast<void>(num_absent(writer, 0, 1)); }),
      "has lost members: 2000 were added, but the server has 1000"));
  CHECK(test::message_of<RedisError>([&] { writer.wait_for_replicas(0, milliseconds(10)); }) !=
        "nothing thrown");

  writer.reopen();
  const std::uint64_t num_lost = num_absent(writer, kNumWaited, kNumWritten);
  std::cout << "of " << kNumWaited << " keys that a replica confirmed "
            << num_absent(writer, 0, kNumWaited) << " were lost, of " << kNumWritten - kNumWaited
            << " that none confirmed " << num_lost << std::endl;
  CHECK(num_absent(writer, 0, kNumWaited) == 0);
  CHECK(num_lost > 0);

  cluster.node(master).restart();
  cluster.wait_until_healthy();
  CHECK(drop_from_redis(*client, "seen"));
}

}  // namespace
}  // namespace bloometry
