#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_server.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/redis/talking_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/redis/redis_bitmap.hpp"

namespace bloometry {
namespace {

using namespace test;

const RedisTimeouts kShort{.connect = std::chrono::milliseconds(500),
                           .command = std::chrono::milliseconds(40)};

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Returns the replies to MULTI and to the five queued commands of a query.
std::string queued() {
  return "+OK\r\n" + repeated("+QUEUED\r\n", 5);
}

TEST_CASE("a reply of the wrong form is an error of a query, an insert and a lookup",
          "[redis][hostile]") {
  const std::string half_proof = "*2\r\n$1\r\na\r\n$1\r\nb\r\n:2500\r\n";
  const std::vector<std::string> replies = {
      "+OK\r\n",
      "$-1\r\n",
      "*-1\r\n",
      "*-2\r\n",
      "$-2\r\n",
      ":9999999999999999999999\r\n",
      "?\r\n",
      std::string("\0\0\0\0\r\n", 6),
      "*2147483647\r\n",
      "*9223372036854775807\r\n",
      "*99999999999999999999999\r\n",
      "$2147483647\r\n",
      "$9223372036854775807\r\nx",
      repeated("*1\r\n", 1'000'000),
      repeated("*70000\r\n", 7),
      "-ERR no\r\n",
      "*3\r\n:1\r\n:2\r\n:3\r\n",
      "*2\r\n*2\r\n:1\r\n*0\r\n$-1\r\n",
      queued() + "*0\r\n",
      queued() + "$-1\r\n",
      queued() + "*5\r\n" + repeated("$-1\r\n", 5),
      queued() + "*5\r\n" + repeated("*0\r\n", 5),
      queued() + "*5\r\n" + repeated(":0\r\n", 5),
      queued() + "*5\r\n*1\r\n$1\r\na\r\n:1\r\n*0\r\n*0\r\n:1\r\n",
      queued() + "*5\r\n" + half_proof + "*0\r\n" + half_proof,
      queued() + "*4\r\n" + half_proof + half_proof,
      queued() + "-EXECABORT no\r\n",
      repeated("+OK\r\n", 100),
  };
  const FilterUnderFault filter;
  for (const std::string& reply : replies) {
    CAPTURE(reply.substr(0, 60));
    TalkingServer server(replying(reply));
    const auto client = std::make_shared<RedisServer>(server.url(), kShort, kOnce);
    RedisFilter seen = filter.open_unseen(client);
    const std::vector<KeyView> keys = {KeyView(filter.members().front())};
    CHECK_THROWS_AS(seen.query(keys), RedisError);
    CHECK_FALSE(seen.lookup(keys.front()).is_absent());
    CHECK_THROWS_AS(seen.insert(keys), RedisError);
    CHECK_THROWS_AS(find_in_redis(*client, "seen"), RedisError);
  }
}

TEST_CASE("an array that is too large is refused before memory is allocated for it",
          "[redis][hostile]") {
  TalkingServer server(replying("*70000\r\n" + repeated("$-1\r\n", 70'000)));
  RedisServer client(server.url(), kShort, kOnce);
  const RedisError error = redis_error_of([&] { redis(client, "PING"); });
  CHECK(std::string(error.what()).find("a reply must have at most 65536 elements, got 70000") !=
        std::string::npos);
}

TEST_CASE("a string without end is refused at 64 MiB", "[redis][hostile]") {
  TalkingServer server(
      replying_forever("$1000000000000\r\n", std::string(std::size_t{1} << 20U, 'x')));
  RedisServer client(server.url(), {.command = std::chrono::seconds(60)}, kOnce);
  const RedisError error = redis_error_of([&] { redis(client, "PING"); });
  CHECK(std::string(error.what()).find("bytes, got more") != std::string::npos);
}

TEST_CASE("a reply without a command is never the reply to the next command", "[redis][hostile]") {
  SECTION("a reply sent with the earlier reply") {
    TalkingServer server(replying("+PONG\r\n+LEFT\r\n"));
    RedisServer client(server.url(), kShort, kOnce);
    const RedisError error = redis_error_of([&] { redis(client, "PING"); });
    CHECK(std::string(error.what()).find("the number of replies must be 1, got more") !=
          std::string::npos);
  }
  SECTION("a reply sent later") {
    TalkingServer server([](const Socket& connection) {
      std::array<char, 1000> buffer{};
      static_cast<void>(connection.receive(buffer));
      static_cast<void>(connection.send("+PONG\r\n"));
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      static_cast<void>(connection.send("+LEFT\r\n"));
    });
    RedisServer client(server.url(), kShort, kOnce);
    redis(client, "PING");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const RedisError error = redis_error_of([&] { redis(client, "GET", "x"); });
    CHECK(error.failure() == RedisFailure::kUnreachable);
    CHECK(std::string(error.what()).find("a reply arrived before its command") !=
          std::string::npos);
  }
}

TEST_CASE("the error for another reply states the reply and the expected form",
          "[redis][hostile]") {
  const auto message = [](const std::string& reply, const auto& use) {
    TalkingServer server(replying(reply));
    RedisServer client(server.url(), kShort, kOnce);
    return std::string(redis_error_of([&] { use(client); }).what());
  };
  const auto integer = [](RedisClient& client) {
    static_cast<void>(client.command("k", RedisCommands().add("STRLEN", "k")).view().integer());
  };
  CHECK(test::contains_text(message("$1\r\na\r\n", integer),
                            "key 'k': the reply must be an integer, got a string"));
  CHECK(test::contains_text(message("*0\r\n", integer), "must be an integer, got an array"));
  CHECK(test::contains_text(message("$-1\r\n", integer), "must be an integer, got nil"));
  const auto third = [](RedisClient& client) {
    static_cast<void>(client.command("k", RedisCommands().add("TIME")).view()[2]);
  };
  CHECK(test::contains_text(message("*2\r\n:1\r\n:2\r\n", third),
                            "the reply must have at least 3 elements, got 2"));
  const auto transaction = [](RedisClient& client) {
    static_cast<void>(client.transaction("k", RedisCommands().add("PING").add("PING")));
  };
  const std::string begun = "+OK\r\n+QUEUED\r\n+QUEUED\r\n";
  CHECK(test::contains_text(message(begun + "*1\r\n:1\r\n", transaction),
                            "the reply of EXEC must be an array of 2 elements, got 1"));
  CHECK(test::contains_text(message(begun + "*-1\r\n", transaction),
                            "the reply of EXEC must be an array of 2 elements, got nil"));
}

TEST_CASE("damaged replies are errors or values and never crash", "[redis][hostile]") {
  std::string reply = queued() + "*5\r\n*4\r\n$1\r\na\r\n$1\r\nb\r\n$7\r\nupdates\r\n$1\r\n0\r\n" +
                      ":2500\r\n*5\r\n" + repeated(":1\r\n", 5) + "*0\r\n:2500\r\n";
  const FilterUnderFault filter;
  std::string now;
  TalkingServer server([&](const Socket& connection) { replying(now)(connection); });
  for (std::size_t i = 0; i < reply.size(); ++i) {
    for (const char byte : {'*', '9', '-', '\r'}) {
      now = reply;
      now[i] = byte;
      now += "\r\n";  // needed if the damage made the reply longer
      const auto client = std::make_shared<RedisServer>(
          server.url(), RedisTimeouts{.command = std::chrono::milliseconds(2)}, kOnce);
      RedisFilter seen = filter.open_unseen(client);
      CHECK_FALSE(seen.lookup(filter.members().front()).is_absent());
    }
  }
}

TEST_CASE("parameters without a version are refused", "[redis]") {
  CHECK_THROWS_AS(RedisBitmap(nullptr, "seen", RedisFields{{"num_bits", "8"}}, 8), ConfigError);
}

}  // namespace
}  // namespace bloometry
