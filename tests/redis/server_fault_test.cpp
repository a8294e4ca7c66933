#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/cutting_proxy.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::milliseconds;

std::shared_ptr<RedisServer> client_of(const RedisUrl& url) {
  return std::make_shared<RedisServer>(url, RedisTimeouts{}, kQuickRetries);
}

/// Queries a batch and one key, and checks that both queries fail with the given cause.
void check_fails(RedisFilter& filter, const FilterUnderFault& here, RedisFailure failure) {
  QueriesUnderFault stream(here.members());
  CHECK(stream.query_batch(filter) == failure);
  CHECK(stream.tally().errors(failure) == stream.tally().num_queries);
  CHECK(stream.tally().num_wrong_absent == 0);
}

void check_answers(RedisFilter& filter, const FilterUnderFault& here) {
  QueriesUnderFault stream(here.members());
  CHECK_FALSE(stream.query_batch(filter));
  CHECK(stream.tally().num_wrong_absent == 0);
}

TEST_CASE("a server that restarts empty reports a missing filter until it is loaded again",
          "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  here.load(*client);
  RedisFilter seen = FilterUnderFault::open(client);
  process.kill();
  check_fails(seen, here, RedisFailure::kUnreachable);
  process.restart();
  check_fails(seen, here, RedisFailure::kMissing);
  CHECK(redis_error_of([&] { seen.insert(std::vector{KeyView("new")}); }).failure() ==
        RedisFailure::kMissing);
  CHECK(all_keys(*client).empty());
  here.load(*client);
  check_fails(seen, here, RedisFailure::kChanged);
  seen.reopen();
  check_answers(seen, here);
}

TEST_CASE(
    "a server restarted from all writes answers, and one restarted from an old snapshot is an "
    "error",
    "[redis][faults]") {
  const bool is_append_only = GENERATE(false, true);
  RedisProcess process(
      is_append_only ? std::vector<std::string>{"--appendonly", "yes", "--appendfsync", "always"}
                     : std::vector<std::string>{"--dbfilename", "dump.rdb"});
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  here.load(*client);
  RedisFilter seen = FilterUnderFault::open(client);
  if (!is_append_only) redis(*client, "SAVE");
  process.restart();
  check_answers(seen, here);
  seen.insert(std::vector{KeyView("late")});
  process.restart();
  if (is_append_only) {
    check_answers(seen, here);
    CHECK(seen.query(std::vector{KeyView("late")}).front() == Presence::kPresent);
  } else {
    check_fails(seen, here, RedisFailure::kChanged);
    const RedisError error = redis_error_of([&] { seen.insert(std::vector{KeyView("later")}); });
    CHECK(std::string(error.what()).find("has lost members") != std::string::npos);
  }
}

TEST_CASE("a server with full memory answers queries and refuses loads and inserts",
          "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  here.load(*client);
  RedisFilter seen = FilterUnderFault::open(client);
  const auto keys_before = all_keys(*client);
  redis(*client, "CONFIG", "SET", "maxmemory-policy", "noeviction");
  redis(*client, "CONFIG", "SET", "maxmemory", "1");
  CHECK(redis_error_of([&] { here.load(*client); }).failure() == RedisFailure::kRefused);
  CHECK(all_keys(*client) == keys_before);
  CHECK(redis_error_of([&] { seen.insert(std::vector{KeyView("new")}); }).failure() ==
        RedisFailure::kRefused);
  check_answers(seen, here);
  redis(*client, "CONFIG", "SET", "maxmemory", "0");
  check_answers(seen, here);
  Keyed<StandardFilter> same({.num_bits = 20'000, .num_hashes = 5}, 7);
  for (const std::string& member : here.members()) same.insert(member);
  std::vector<std::uint64_t> words(same.filter().bits().words().size());
  pull_from_redis(client, find_in_redis(*client, FilterUnderFault::kName), words);
  CHECK(std::equal(words.begin(), words.end(), same.filter().bits().words().begin()));
  seen.insert(std::vector{KeyView("new")});
  CHECK(seen.query(std::vector{KeyView("new")}).front() == Presence::kPresent);
}

TEST_CASE("a filter lost while memory is full is reported as missing", "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  redis(*client, "CONFIG", "SET", "maxmemory-policy", "noeviction");
  for (const auto& [num_shards, num_keys] : {std::pair{1U, 2U}, {3U, 7U}}) {
    for (unsigned lost = 0; lost < num_keys; ++lost) {
      CAPTURE(num_shards, lost);
      redis(*client, "FLUSHALL");
      here.load(*client, {.num_shards = num_shards});
      RedisFilter seen = FilterUnderFault::open(client);
      redis(*client, "CONFIG", "SET", "maxmemory", "1");
      check_answers(seen, here);
      const std::vector<std::string> keys = all_keys(*client);
      REQUIRE(keys.size() == num_keys);
      redis(*client, "DEL", keys[lost]);
      check_fails(seen, here, RedisFailure::kMissing);
      redis(*client, "CONFIG", "SET", "maxmemory", "0");
    }
  }
}

TEST_CASE("a bitmap without parameters answers while memory is full", "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  redis(*client, "SETBIT", "theirs", 5, 1);
  RedisBitmap theirs(client, "theirs", 64);
  redis(*client, "CONFIG", "SET", "maxmemory-policy", "noeviction");
  redis(*client, "CONFIG", "SET", "maxmemory", "1");
  CHECK(theirs.read(std::vector<std::uint64_t>{4, 5}, 1, 1, ReadMethod::kBest) ==
        std::vector{false, true});
  redis(*client, "DEL", "theirs");
  CHECK(redis_error_of([&] {
          static_cast<void>(theirs.read(std::vector<std::uint64_t>{5}, 1, 1, ReadMethod::kBest));
        }).failure() == RedisFailure::kMissing);
}

TEST_CASE("damage of the bitmap or its parameters is an error", "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  const char* const parameters = FilterUnderFault::kParameters;
  const std::vector<std::pair<RedisFailure, std::vector<std::string>>> damages = {
      {RedisFailure::kMissing, {"DEL", "seen"}},
      {RedisFailure::kMissing, {"DEL", parameters}},
      {RedisFailure::kMissing, {"FLUSHALL"}},
      {RedisFailure::kMissing, {"SET", "seen", ""}},
      {RedisFailure::kChanged, {"SET", "seen", "short"}},
      {RedisFailure::kChanged, {"SETRANGE", "seen", "2500", "x"}},
      {RedisFailure::kChanged, {"HSET", parameters, "num_hashes", "4"}},
      {RedisFailure::kChanged, {"HSET", parameters, "version", "other"}},
      {RedisFailure::kChanged, {"HSET", parameters, "extra", "1"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "seed"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "updates"}},
      {RedisFailure::kChanged, {"HSET", parameters, "updates", "0"}},
      {RedisFailure::kChanged, {"HSET", parameters, "updates", "many"}},
      {RedisFailure::kChanged, {"HSET", parameters, "updates", "5x"}},
      {RedisFailure::kChanged, {"HSET", parameters, "updates", "-5"}},
  };
  for (const auto& [failure, damage] : damages) {
    CAPTURE(damage);
    here.load(*client, {.replaces_anything = true});
    RedisFilter seen = FilterUnderFault::open(client);
    seen.insert(std::vector{KeyView("new")});
    RedisCommands command;
    command.begin(damage.size());
    for (const std::string& word : damage) command.argument(word);
    static_cast<void>(client->command("", command));
    const auto keys_before = all_keys(*client);
    check_fails(seen, here, failure);
    CHECK(redis_error_of([&] { seen.insert(std::vector{KeyView("newer")}); }).failure() == failure);
    CHECK(all_keys(*client) == keys_before);
  }
  const std::vector<std::pair<std::string, std::vector<std::string>>> texts = {
      {"key 'seen' must have 2500 bytes, got 5", {"SET", "seen", "short"}},
      {"must be a whole number, got '5x'", {"HSET", parameters, "updates", "5x"}},
      {"must be a whole number, got none", {"HDEL", parameters, "updates"}}};
  for (const auto& [text, damage] : texts) {
    here.load(*client, {.replaces_anything = true});
    RedisFilter seen = FilterUnderFault::open(client);
    RedisCommands command;
    command.begin(damage.size());
    for (const std::string& word : damage) command.argument(word);
    static_cast<void>(client->command("", command));
    const RedisError error =
        redis_error_of([&] { static_cast<void>(seen.query(std::vector{KeyView("new")})); });
    CHECK(std::string(error.what()).find(text) != std::string::npos);
  }
  for (const char* key : {"seen", parameters}) {
    here.load(*client, {.replaces_anything = true});
    RedisFilter seen = FilterUnderFault::open(client);
    redis(*client, "DEL", key);
    redis(*client, "RPUSH", key, "a");
    check_fails(seen, here, RedisFailure::kRefused);
    const RedisError error = redis_error_of([&] { seen.insert(std::vector{KeyView("new")}); });
    CHECK(std::string(error.what()).find("key 'seen'") != std::string::npos);
  }
}

TEST_CASE("parameters with any damaged field are refused and allocate nothing", "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  here.load(*client, {.num_shards = 3});
  const RedisFields good = read_fields(*client, FilterUnderFault::kCurrent);
  for (const auto& [name, value] : good) {
    for (const char* damage : {"", "-1", "0", "4294967296", "18446744073709551615", "nan", "x"}) {
      CAPTURE(name, damage);
      redis(*client, "HSET", FilterUnderFault::kCurrent, name, damage);
      try {
        RedisFilter seen = FilterUnderFault::open(client);
        CHECK_FALSE(seen.lookup(here.members().front()).is_absent());
      } catch (const RedisError&) {
      } catch (const ConfigError&) {
        CHECK((name == "hash" || name == "seed"));  // the hash differs from the filter's hash
      }
    }
    redis(*client, "HSET", FilterUnderFault::kCurrent, name, value);
  }
  // The fields are consistent with each other, but describe 2^53 shards.
  redis(*client, "HSET", FilterUnderFault::kCurrent, "num_bits", "4611686018427387904",
        "shard_bits", "512", "num_shards", "9007199254740992");
  CHECK(redis_error_of([&] { static_cast<void>(FilterUnderFault::open(client)); }).failure() ==
        RedisFailure::kChanged);
}

TEST_CASE("an expired filter is missing, and an insert does not create it", "[redis][faults]") {
  RedisProcess process;
  const auto client = client_of(process.url());
  const FilterUnderFault here;
  here.load(*client, {.ttl = milliseconds(300)});
  RedisFilter seen = FilterUnderFault::open(client);
  seen.insert(std::vector{KeyView("new")});
  for (const char* key : {"seen", FilterUnderFault::kParameters}) {
    const RedisReply ttl = client->command(key, RedisCommands().add("PTTL", key));
    CHECK(ttl.view().integer() > 0);
    CHECK(ttl.view().integer() <= 300);
  }
  std::this_thread::sleep_for(milliseconds(350));
  check_fails(seen, here, RedisFailure::kMissing);
  CHECK(redis_error_of([&] { seen.insert(std::vector{KeyView("newer")}); }).failure() ==
        RedisFailure::kMissing);
  CHECK(all_keys(*client).empty());
}

TEST_CASE("a stalled or slow server is an error within the time limit", "[redis][faults]") {
  RedisProcess process;
  CuttingProxy proxy(process.port());
  const FilterUnderFault here;
  RedisServer direct(process.url());
  here.load(direct);
  constexpr milliseconds kLimit(150);
  RedisFilter seen = FilterUnderFault::open(std::make_shared<RedisServer>(
      proxy.url(), RedisTimeouts{.connect = kLimit, .command = kLimit}, kOnce));
  const int pid = process.pid();
  const bool is_stopped = GENERATE(true, false);
  if (is_stopped) ::kill(pid, SIGSTOP);
  if (!is_stopped) proxy.set_delay_per_byte(milliseconds(50));
  const auto begin = std::chrono::steady_clock::now();
  const RedisAnswer answer = seen.lookup(here.members().front());
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  ::kill(pid, SIGCONT);
  CHECK_FALSE(answer.is_absent());
  REQUIRE(answer.error() != nullptr);
  CHECK(answer.error()->failure() == RedisFailure::kUnreachable);
  CHECK(elapsed >= kLimit);
  // Twenty times the limit is far less than any further wait, and leaves a margin for a busy
  // machine.
  CHECK(elapsed < 20 * kLimit);
}

TEST_CASE("a client without permission gets an error that does not contain a password",
          "[redis][faults]") {
  RedisProcess process({"--requirepass", "geheim"});
  RedisUrl url = process.url();
  const auto message = [&] {
    return std::string(redis_error_of([&] { redis(*client_of(url), "PING"); }).what());
  };
  CHECK(message().find("NOAUTH") != std::string::npos);
  url.password = "falsch";
  CHECK(message().find("WRONGPASS") != std::string::npos);
  CHECK(message().find("falsch") == std::string::npos);
  url.password = "geheim";
  const auto client = client_of(url);
  const FilterUnderFault here;
  here.load(*client);
  redis(*client, "ACL", "SETUSER", "reader", "on", ">lesen", "~*", "+@all", "-eval");
  redis(*client, "ACL", "SETUSER", "blind", "on", ">blind", "~*", "+@all", "-hgetall");
  url.user = "reader";
  url.password = "lesen";
  RedisFilter seen = FilterUnderFault::open(client_of(url));
  check_answers(seen, here);
  const RedisError error = redis_error_of([&] { seen.insert(std::vector{KeyView("new")}); });
  CHECK(error.failure() == RedisFailure::kRefused);
  CHECK(std::string(error.what()).find("NOPERM") != std::string::npos);
  CHECK(std::string(error.what()).find("lesen") == std::string::npos);
  url.user = "blind";
  url.password = "blind";
  CHECK(redis_error_of([&] {
          static_cast<void>(FilterUnderFault::open(client_of(url)));
        }).failure() == RedisFailure::kRefused);
}

TEST_CASE("a filter replaced during a query answers or reports the change", "[redis][faults]") {
  RedisProcess process;
  const FilterUnderFault one(0);
  const FilterUnderFault other(64);
  const auto client = client_of(process.url());
  one.load(*client);
  std::thread loader([&] {
    RedisServer mine(process.url(), {}, kQuickRetries);
    for (std::uint64_t i = 0; i < 100; ++i) {
      (i % 2 == 0 ? other : one).load(mine, {.num_shards = i % 3 == 0 ? 3U : 1U});
    }
  });
  RedisFilter seen = FilterUnderFault::open(client);
  QueriesUnderFault stream(one.members());
  for (int i = 0; i < 500; ++i) {
    if (stream.query_batch(seen)) seen.reopen();
  }
  loader.join();
  const FaultTally& tally = stream.tally();
  CHECK(tally.num_wrong_absent == 0);
  CHECK(tally.num_answered > 0);
  CHECK(tally.errors(RedisFailure::kRefused) + tally.errors(RedisFailure::kUnreachable) == 0);
  CHECK(tally.errors(RedisFailure::kChanged) + tally.errors(RedisFailure::kMissing) > 0);
}

}  // namespace
}  // namespace bloometry
