#include "core/redis/cluster_client.hpp"

#include <atomic>
#include <chrono>
#include <memory>

#include "core/error.hpp"
#include "core/redis/cluster_slots.hpp"
#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_server.hpp"
#include "tests/redis/scripted_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

using test::bulk;
using test::contains_text;
using test::ScriptedServer;
using Command = ScriptedServer::Command;
using Reply = ScriptedServer::Reply;

constexpr RetryPolicy kOnce{.max_attempts = 1};
constexpr RetryPolicy kThrice{.max_attempts = 3,
                              .first_delay = std::chrono::milliseconds(1),
                              .max_delay = std::chrono::milliseconds(1)};

std::string address(std::uint16_t port) {
  return "127.0.0.1:" + std::to_string(port);
}

std::string redirect(const char* kind, std::uint16_t port) {
  return "-" + std::string(kind) + " " + std::to_string(cluster_slot("k")) + " " + address(port) +
         "\r\n";
}

/// Returns the exception that the client throws for a command on key "k".
template <class Client>
RedisError error_of_get(Client& client) {
  try {
    static_cast<void>(client.command("k", RedisCommands().add("GET", "k")));
  } catch (const RedisError& error) {
    return error;
  }
  FAIL("nothing thrown");
  throw std::logic_error("not reached");
}

/// Returns a server that has all slots of its cluster. The function `f` returns the reply to any
/// command except CLUSTER.
std::unique_ptr<ScriptedServer> only_server(std::function<Reply(const Command&, std::uint16_t)> f) {
  auto port = std::make_shared<std::atomic<std::uint16_t>>(0);
  auto server = std::make_unique<ScriptedServer>([f, port](const Command& command) -> Reply {
    if (command[0] == "CLUSTER") return {test::all_slots_at("", *port)};
    return f(command, *port);
  });
  *port = server->port();
  return server;
}

TEST_CASE("a query answered with MOVED forever fails after five hops", "[redis]") {
  const auto server = only_server(
      [](const Command&, std::uint16_t port) -> Reply { return {redirect("MOVED", port)}; });
  RedisCluster cluster(server->url(), {}, kThrice);
  const RedisError error = error_of_get(cluster);
  CHECK(error.failure() == RedisFailure::kRefused);
  CHECK(server->num_commands("GET") == 6);
  CAPTURE(error.what());
  CHECK(contains_text(error.what(), "5 redirections"));
  CHECK(contains_text(error.what(), "slot " + std::to_string(cluster_slot("k"))));
  CHECK(contains_text(error.what(), "redis://" + address(server->port())));
}

TEST_CASE("a query redirected in a circle fails after five hops", "[redis]") {
  std::atomic<std::uint16_t> other_port = 0;
  const auto server = only_server([&](const Command& command, std::uint16_t) -> Reply {
    return {command[0] == "ASKING" ? "+OK\r\n" : redirect("ASK", other_port)};
  });
  const ScriptedServer other([&](const Command& command) -> Reply {
    return {command[0] == "ASKING" ? "+OK\r\n" : redirect("ASK", server->port())};
  });
  other_port = other.port();
  RedisCluster cluster(server->url(), {}, kOnce);
  CHECK(contains_text(error_of_get(cluster).what(), "5 redirections"));
  CHECK(server->num_commands("GET") + other.num_commands("GET") == 6);
}

TEST_CASE("ASK redirects one query with ASKING, MOVED redirects later queries too", "[redis]") {
  const ScriptedServer other([](const Command& command) -> Reply {
    if (command[0] == "CLUSTER") return {"-ERR unknown\r\n"};
    return {command[0] == "ASKING" ? "+OK\r\n" : bulk("there")};
  });
  const bool is_for_once = GENERATE(true, false);
  const auto server = only_server([&](const Command&, std::uint16_t) -> Reply {
    return {redirect(is_for_once ? "ASK" : "MOVED", other.port())};
  });
  RedisCluster cluster(server->url(), {}, kOnce);
  for (int i = 0; i < 3; ++i) {
    const RedisReply reply = cluster.command("k", RedisCommands().add("GET", "k"));
    CHECK(reply.view().text() == "there");
  }
  CHECK(server->num_commands("GET") == (is_for_once ? 3 : 1));
  CHECK(other.num_commands("ASKING") == (is_for_once ? 3 : 0));
  CHECK(other.num_commands("GET") == 3);
}

TEST_CASE("ASKING precedes each command, or a transaction once", "[redis]") {
  const ScriptedServer other([](const Command& command) -> Reply {
    if (command[0] == "GET") return {bulk(command[1])};
    return {command[0] == "EXEC" ? "*1\r\n" + bulk("k") : "+" + command[0] + "\r\n"};
  });
  const auto server = only_server(
      [&](const Command&, std::uint16_t) -> Reply { return {redirect("ASK", other.port())}; });
  RedisCluster cluster(server->url(), {}, kOnce);

  const auto replies = cluster.run("k", RedisCommands().add("GET", "k").add("GET", "{k}2"));
  REQUIRE(replies.size() == 2);
  CHECK(replies[0].view().text() == "k");
  CHECK(replies[1].view().text() == "{k}2");
  CHECK(other.commands() == std::vector<std::string>{"ASKING", "GET k", "ASKING", "GET {k}2"});

  const RedisReply reply = cluster.transaction("k", RedisCommands().add("GET", "k"));
  CHECK(reply.view()[0].text() == "k");
  const std::vector<std::string> all = other.commands();
  CHECK(std::vector<std::string>(all.begin() + 4, all.end()) ==
        std::vector<std::string>{"ASKING", "MULTI", "GET k", "EXEC"});
}

TEST_CASE("a transaction that is redirected is repeated as a whole", "[redis]") {
  const ScriptedServer other([](const Command& command) -> Reply {
    if (command[0] == "CLUSTER") return {"-ERR unknown\r\n"};
    return {command[0] == "EXEC" ? "*2\r\n:1\r\n:2\r\n" : "+OK\r\n"};
  });
  const auto server = only_server([&](const Command& command, std::uint16_t) -> Reply {
    if (command[0] == "STRLEN") return {redirect("MOVED", other.port())};
    return {command[0] == "EXEC" ? "-EXECABORT because of errors\r\n" : "+QUEUED\r\n"};
  });
  RedisCluster cluster(server->url(), {}, kOnce);
  const RedisReply reply =
      cluster.transaction("k", RedisCommands().add("GET", "k").add("STRLEN", "k"));
  CHECK(reply.view()[1].integer() == 2);
}

TEST_CASE("a truncated reply is an error", "[redis]") {
  const bool closes = GENERATE(true, false);
  const auto server = only_server([=](const Command&, std::uint16_t) -> Reply {
    return {.bytes = "$5\r\nhel", .closes_connection = closes};
  });
  const RedisTimeouts timeouts{.command = std::chrono::milliseconds(100)};
  RedisCluster cluster(server->url(), timeouts, kThrice);
  const RedisError error = error_of_get(cluster);
  CHECK(error.failure() == RedisFailure::kUnreachable);
  CHECK(contains_text(error.what(), "redis://" + address(server->port())));
  CHECK(contains_text(error.what(), "(3 attempts)"));
  CHECK(server->num_commands("GET") == 3);
}

TEST_CASE("temporary errors are retried with a new map", "[redis]") {
  const std::string what =
      GENERATE("TRYAGAIN half of it", "CLUSTERDOWN Hash slot not served", "LOADING its data",
               "MASTERDOWN its link", "UNBLOCKED a replica now");
  std::atomic<int> num_gets = 0;
  const auto server = only_server([&](const Command&, std::uint16_t) -> Reply {
    return {++num_gets < 3 ? "-" + what + "\r\n" : bulk("v")};
  });
  RedisCluster patient(server->url(), {}, kThrice);
  const RedisReply reply = patient.command("k", RedisCommands().add("GET", "k"));
  CHECK(reply.view().text() == "v");
  CHECK(server->num_commands("CLUSTER SLOTS") == 3);

  num_gets = 0;
  RedisCluster cluster(server->url(), {}, kOnce);
  const RedisError error = error_of_get(cluster);
  CHECK(error.failure() == RedisFailure::kUnreachable);
  CHECK(contains_text(error.what(), what));
}

TEST_CASE("after a call without attempts left the next call reads a new map", "[redis]") {
  const auto server = only_server([](const Command& command, std::uint16_t) -> Reply {
    return {command[1] == "k" ? "-CLUSTERDOWN the cluster is down\r\n" : bulk("there")};
  });
  RedisCluster cluster(server->url(), {}, kOnce);
  CHECK(error_of_get(cluster).failure() == RedisFailure::kUnreachable);
  CHECK(server->num_commands("CLUSTER SLOTS") == 1);
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(cluster.command("other", RedisCommands().add("GET", "other")));
    CHECK(server->num_commands("CLUSTER SLOTS") == 2);
  }
}

TEST_CASE("the map is read from another server if the last one does not answer", "[redis]") {
  const auto survivor =
      only_server([](const Command&, std::uint16_t) -> Reply { return {bulk("v")}; });
  std::unique_ptr<ScriptedServer> lost;
  lost = std::make_unique<ScriptedServer>([&](const Command& command) -> Reply {
    if (command[0] != "CLUSTER") return {.bytes = "", .closes_connection = true};
    return {"*1\r\n*4\r\n:0\r\n:16383\r\n*2\r\n" + bulk("") + ":" + std::to_string(lost->port()) +
            "\r\n*2\r\n" + bulk("127.0.0.1") + ":" + std::to_string(survivor->port()) + "\r\n"};
  });
  RedisCluster cluster(lost->url(), {}, kThrice);
  CHECK(cluster.command("k", RedisCommands().add("GET", "k")).view().text() == "v");
  CHECK(lost->num_commands("GET") == 1);
  lost.reset();
  CHECK(cluster.command("", RedisCommands().add("PING")).view().text() == "v");
}

TEST_CASE("user and password of the seed are used for all servers, and errors do not contain them",
          "[redis]") {
  const ScriptedServer other([](const Command& command) -> Reply {
    return {command[0] == "AUTH" ? "+OK\r\n" : "-ERR nothing for you\r\n"};
  });
  const ScriptedServer seed([&](const Command& command) -> Reply {
    if (command[0] == "AUTH") return {"+OK\r\n"};
    return {test::all_slots_at("127.0.0.1", other.port())};
  });
  RedisUrl url = seed.url();
  url.user = "me";
  url.password = "geheim";
  RedisCluster cluster(url, {}, kOnce);
  const RedisError error = error_of_get(cluster);
  CHECK(error.failure() == RedisFailure::kRefused);
  CHECK(contains_text(error.what(), "nothing for you"));
  CHECK_FALSE(contains_text(error.what(), "geheim"));
  CHECK(other.commands().front() == "AUTH me geheim");
}

TEST_CASE("an invalid reply to CLUSTER SLOTS is an error that names the server", "[redis]") {
  const std::string slots =
      GENERATE("+OK\r\n", "*1\r\n:1\r\n", "*1\r\n*2\r\n:0\r\n:1\r\n",
               "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$1\r\nh\r\n:1\r\n",
               "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n$1\r\nh\r\n:65536\r\n", "-ERR not here\r\n", "*0\r\n",
               "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n$1\r\nh\r\n:1\r\n");
  const ScriptedServer server([&](const Command&) -> Reply { return {slots}; });
  RedisCluster cluster(server.url(), {}, kOnce);
  const RedisError error = error_of_get(cluster);
  CAPTURE(error.what());
  CHECK(contains_text(error.what(), "redis://" + address(server.port())));
}

TEST_CASE("a cluster has only database 0", "[redis]") {
  const ScriptedServer server([](const Command& command) -> Reply {
    if (command[0] == "SELECT") return {"-ERR SELECT is not allowed in cluster mode\r\n"};
    return {bulk("# Cluster\r\ncluster_enabled:1\r\n")};
  });
  RedisUrl url = server.url();
  url.database = 3;
  CHECK(test::message_of<ConfigError>([&] { RedisCluster cluster(url); }) ==
        "database must be 0 in a cluster, got 3");
  CHECK(test::message_of<ConfigError>([&] { static_cast<void>(connect_redis(url)); }) ==
        "database must be 0 in a cluster, got 3");
}

TEST_CASE("connect_redis: detects whether the server belongs to a cluster", "[redis]") {
  std::string info;
  const auto server = only_server([&](const Command& command, std::uint16_t) -> Reply {
    return {command[0] == "INFO" ? info : "+PONG\r\n"};
  });
  info = bulk("# Cluster\r\ncluster_enabled:1\r\n");
  CHECK(connect_redis(server->url())->is_cluster());
  CHECK(connect_redis(server->url())->name() ==
        "cluster redis://" + address(server->port()) + "/0");
  info = bulk("# Cluster\r\ncluster_enabled:0\r\n");
  CHECK_FALSE(connect_redis(server->url())->is_cluster());
  info = "-NOPERM this user has no permissions to run the 'info' command\r\n";
  CHECK_FALSE(connect_redis(server->url())->is_cluster());
}

TEST_CASE("MOVED from a server opened as a single one is an error that names the cluster",
          "[redis]") {
  const ScriptedServer server([](const Command& command) -> Reply {
    if (command[0] == "PING") return {"+PONG\r\n"};
    return {command[0] == "INFO" ? "-NOPERM no\r\n" : "-MOVED 7 10.0.0.1:7000\r\n"};
  });
  const auto client = connect_redis(server.url());
  const RedisError error = error_of_get(*client);
  CHECK(error.failure() == RedisFailure::kRefused);
  CHECK(contains_text(error.what(), "belongs to a cluster"));
  CHECK(contains_text(error.what(), "MOVED 7 10.0.0.1:7000"));
}

}  // namespace
}  // namespace bloometry
