#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_server.hpp"
#include "tests/redis/redis_process.hpp"
#include "tests/support/catch.hpp"
#include "variants/redis/redis_bitmap.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/redis_load.hpp"

namespace bloometry {
namespace {

using std::chrono::milliseconds;

void wait_until_replica_is_up(const test::RedisProcess& replica) {
  RedisServer client(replica.url());
  for (int i = 0; i < 400; ++i) {
    const RedisReply info = client.command("", RedisCommands().add("INFO", "replication"));
    if (info.view().text().find("master_link_status:up") != std::string_view::npos) return;
    std::this_thread::sleep_for(milliseconds(25));
  }
  FAIL("the replica was not synchronised within 10 s");
}

TEST_CASE("wait_for_replicas: a connection lost after the insert does not confirm it", "[redis]") {
  const bool has_parameters = GENERATE(true, false);
  CAPTURE(has_parameters);
  const test::RedisProcess master({"--repl-diskless-sync-delay", "0"});
  const test::RedisProcess replica({"--replicaof", "127.0.0.1 " + std::to_string(master.port())});
  wait_until_replica_is_up(replica);
  const auto client = connect_redis(master.url());
  RedisBitmap bitmap = [&] {
    if (!has_parameters) {
      client->command("seen", RedisCommands().add("SETBIT", "seen", 799, 0));
      return RedisBitmap(client, "seen", 800);
    }
    create_in_redis(*client, "seen", foreign_parameters(RedisScheme::kGoSeeded, {800, 2}));
    return RedisBitmap(client, "seen", find_in_redis(*client, "seen").fields, 800);
  }();

  const std::uint64_t offsets[] = {1, 2};
  bitmap.set(offsets, 2);
  CHECK_NOTHROW(bitmap.wait_for_replicas(1, milliseconds(2000)));

  const int pid = replica.pid();
  REQUIRE(::kill(pid, SIGSTOP) == 0);
  const std::uint64_t more[] = {3, 4};
  bitmap.set(more, 2);
  RedisServer(master.url()).command("", RedisCommands().add("CLIENT", "KILL", "TYPE", "normal"));
  // WAIT counts the replicas that have all writes of the same connection. The new connection has
  // not written anything.
  try {
    bitmap.wait_for_replicas(1, milliseconds(100));
    FAIL_CHECK("confirmed by a replica that is stopped");
  } catch (const RedisError& error) {
    CHECK(error.failure() == RedisFailure::kUnreachable);
  }
  REQUIRE(::kill(pid, SIGCONT) == 0);
  CHECK_NOTHROW(bitmap.wait_for_replicas(1, milliseconds(2000)));
  CHECK(bitmap.read(more, 2, 1, ReadMethod::kBest) == std::vector<bool>{true, true});
}

TEST_CASE("wait_for_replicas: a server that has lost keys does not confirm an insert", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  create_in_redis(*client, "seen", foreign_parameters(RedisScheme::kGoSeeded, {800, 2}));
  RedisBitmap bitmap(client, "seen", find_in_redis(*client, "seen").fields, 800);
  const std::uint64_t offsets[] = {1, 2};
  bitmap.set(offsets, 2);
  bitmap.wait_for_replicas(0, milliseconds(100));
  // The HSET has the effect of a failover to a replica that lags behind.
  client->command("seen", RedisCommands().add("HSET", "{seen}:parameters", "updates", 0));
  try {
    bitmap.wait_for_replicas(0, milliseconds(100));
    FAIL_CHECK("confirmed");
  } catch (const RedisError& error) {
    CHECK(error.failure() == RedisFailure::kChanged);
  }
}

}  // namespace
}  // namespace bloometry
