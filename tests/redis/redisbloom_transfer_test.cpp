#include "variants/redis/redisbloom_transfer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/redis/fake_redisbloom.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

using Names = std::vector<std::string>;

/// Returns the header and the data of a dump that was written by the RedisBloom module.
std::string dump_of(const nlohmann::json& filter) {
  std::string bytes = test::bytes_of_hex(filter.at("header_hex"));
  for (const auto& chunk : filter.at("chunks")) bytes += test::bytes_of_hex(chunk.at("data_hex"));
  return bytes;
}

/// Returns a filter of two links with more than a thousand bytes in total.
RedisBloomFilter some_filter() {
  RedisBloomFilter filter = RedisBloomFilter::for_capacity(300, 0.01);
  for (int i = 0; i < 500; ++i) filter.insert("item-" + std::to_string(i));
  return filter;
}

std::int64_t dump_ttl(RedisClient& client, const std::string& key) {
  return client.command(key, RedisCommands().add("PTTL", key)).view().integer();
}

void set_text(RedisClient& client, const std::string& key) {
  client.command(key, RedisCommands().add("SET", key, "text"));
}

template <class Action>
RedisFailure failure_of(Action action) {
  try {
    action();
  } catch (const RedisError& error) {
    return error.failure();
  }
  FAIL("no RedisError");
  return {};
}

TEST_CASE("redisbloom_transfer: a dump of the module is loaded and pulled unchanged", "[redis]") {
  test::FakeRedisBloom server({"--max-chunk", "100"});
  const auto& filters = test::interop_vectors().at("redisbloom").at("filters");
  REQUIRE(filters.size() == 6);
  for (const auto& vector : filters) {
    const std::string dump = dump_of(vector);
    INFO(vector.at("name").get<std::string>());
    for (const std::uint64_t chunk_bytes : {8, 64, 1 << 20}) {
      load_redisbloom(server.client(), "seen", RedisBloomFilter::parse(dump),
                      {.chunk_bytes = chunk_bytes});
      CHECK(pull_redisbloom(server.client(), "seen").serialize() == dump);
      CHECK(server.keys() == Names{"seen"});
    }
  }
}

TEST_CASE("redisbloom_transfer: a load sets the time to live", "[redis]") {
  test::FakeRedisBloom server;
  const RedisBloomFilter filter = some_filter();
  load_redisbloom(server.client(), "seen", filter, {.ttl = std::chrono::seconds(100)});
  const std::int64_t ttl = dump_ttl(server.client(), "seen");
  CHECK(ttl > 0);
  CHECK(ttl <= 100'000);
  load_redisbloom(server.client(), "seen", filter);
  CHECK(dump_ttl(server.client(), "seen") == -1);
}

TEST_CASE("redisbloom_transfer: progress ends with all bytes sent and read back", "[redis]") {
  test::FakeRedisBloom server;
  std::vector<std::uint64_t> done;
  std::uint64_t last_of_all = 0;
  load_redisbloom(server.client(), "seen", some_filter(),
                  {.chunk_bytes = 256, .on_progress = [&](std::uint64_t num, std::uint64_t all) {
                     done.push_back(num);
                     last_of_all = all;
                   }});
  CHECK(std::is_sorted(done.begin(), done.end()));
  CHECK(done.size() > 4);
  CHECK(done.back() == last_of_all);
}

TEST_CASE("redisbloom_transfer: if the server loses a chunk the earlier filter is kept",
          "[redis]") {
  const RedisBloomFilter before = RedisBloomFilter::for_capacity(10, 0.01);
  // The load of the empty filter sends one chunk.
  test::FakeRedisBloom server({"--lose-chunk", "4"});
  load_redisbloom(server.client(), "seen", before);
  const auto load = [&] {
    load_redisbloom(server.client(), "seen", some_filter(), {.chunk_bytes = 256});
  };
  CHECK(failure_of(load) == RedisFailure::kChanged);
  CHECK(server.keys() == Names{"seen"});
  CHECK(pull_redisbloom(server.client(), "seen").serialize() == before.serialize());
}

TEST_CASE("redisbloom_transfer: a lost reply to the last step is not an error", "[redis]") {
  const RedisBloomFilter filter = some_filter();
  test::FakeRedisBloom server({"--lose-reply", "RENAME"});
  load_redisbloom(server.client(), "seen", filter);
  CHECK(server.keys() == Names{"seen"});
  CHECK(pull_redisbloom(server.client(), "seen").serialize() == filter.serialize());
}

TEST_CASE("redisbloom_transfer: another kind of key is replaced only on request", "[redis]") {
  test::FakeRedisBloom server;
  set_text(server.client(), "seen");
  set_text(server.client(), "{seen}:parameters");
  const std::string message = test::message_of<ConfigError>(
      [&] { load_redisbloom(server.client(), "seen", some_filter()); });
  CHECK(message ==
        "key must be a new key or contain a filter of RedisBloom, got 'seen', which contains a "
        "string");
  CHECK(server.keys().size() == 2);
  CHECK(failure_of([&] { static_cast<void>(pull_redisbloom(server.client(), "seen")); }) ==
        RedisFailure::kRefused);
  load_redisbloom(server.client(), "seen", some_filter(), {.replaces_anything = true});
  CHECK(server.keys() == Names{"seen"});
}

TEST_CASE("redisbloom_transfer: a missing key is an error", "[redis]") {
  test::FakeRedisBloom server;
  CHECK(failure_of([&] { static_cast<void>(pull_redisbloom(server.client(), "seen")); }) ==
        RedisFailure::kMissing);
}

TEST_CASE("redisbloom_transfer: items inserted during a pull", "[redis]") {
  const RedisBloomFilter filter = some_filter();
  SECTION("a few: the filter is read again") {
    test::FakeRedisBloom server({"--add-items", "3", "--max-chunk", "300"});
    load_redisbloom(server.client(), "seen", filter);
    const RedisBloomFilter pulled = pull_redisbloom(server.client(), "seen");
    CHECK(pulled.num_items() == filter.num_items() + 3);
  }
  SECTION("all the time: an error") {
    test::FakeRedisBloom server({"--add-items", "1000"});
    load_redisbloom(server.client(), "seen", filter);
    CHECK(failure_of([&] { static_cast<void>(pull_redisbloom(server.client(), "seen")); }) ==
          RedisFailure::kChanged);
  }
}

TEST_CASE("redisbloom_transfer: servers without the module or with another one are refused",
          "[redis]") {
  SECTION("no module") {
    test::FakeRedisBloom server({"--without-module"});
    const std::string message =
        test::message_of<RedisError>([&] { require_redisbloom(server.client()); });
    CHECK(message.find("does not support BF.LOADCHUNK and BF.SCANDUMP") != std::string::npos);
  }
  SECTION("other dumps") {
    for (const char* line : {"valkey_version:8.1.0", "server_name:valkey", "dragonfly_version:1"}) {
      test::FakeRedisBloom server({"--info", line});
      const std::string message = test::message_of<RedisError>(
          [&] { load_redisbloom(server.client(), "seen", some_filter()); });
      CHECK(message.find(line) != std::string::npos);
      CHECK(server.keys().empty());
    }
  }
}

}  // namespace
}  // namespace bloometry
