#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_server.hpp"
#include "tests/redis/cutting_proxy.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/rotating_trial.hpp"
#include "tests/redis/shifted_clock.hpp"
#include "tests/redis/talking_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/redis/redis_bitmap.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/rotating_scripts.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::hours;
using std::chrono::milliseconds;

const RotatingRequest kDayLong{.window = hours(24), .capacity = 10'000};
constexpr const char* kRotatingParameters = "{seen}:parameters";

/// Runs a command given as words.
void run_words(RedisClient& client, const std::vector<std::string>& words) {
  RedisCommands command;
  command.begin(words.size());
  for (const std::string& word : words) command.argument(word);
  static_cast<void>(client.command("", command));
}

/// Returns the key of the newest generation.
std::string newest_key(RotatingInRedis& seen) {
  const RotatingParameters& parameters = seen.location().parameters;
  return generation_key(seen.location().name,
                        parameters.slot_of(seen.live_generations().front().generation.number));
}

/// Checks that queries and inserts fail for the given cause and write nothing.
void check_rotating_fails(RedisClient& client, RotatingInRedis& seen, RedisFailure failure) {
  const auto fields = type_of(client, kRotatingParameters) == "hash"
                          ? read_fields(client, kRotatingParameters)
                          : RedisFields{};
  const auto keys = all_keys(client);
  for (const bool inserts : {false, true}) {
    CAPTURE(inserts);
    const RedisAnswer answer = inserts ? seen.lookup_and_insert("member") : seen.lookup("member");
    CHECK_FALSE(answer.is_absent());
    REQUIRE(answer.error() != nullptr);
    CAPTURE(std::string(answer.error()->what()));
    CHECK(answer.error()->failure() == failure);
  }
  CHECK(all_keys(client) == keys);
  if (fields.empty()) return;
  CHECK(read_fields(client, kRotatingParameters) == fields);
}

TEST_CASE("rotating in Redis: damage is an error, and an insert does not repair it",
          "[redis][faults][rotating]") {
  RedisProcess process;
  const auto client = connect_redis(process.url());

  struct Damage {
    RedisFailure failure;
    std::vector<std::string> words;  ///< GENERATION stands for the key of the newest generation
  };

  const std::string parameters = kRotatingParameters;
  const std::vector<Damage> damages = {
      {RedisFailure::kMissing, {"DEL", "GENERATION"}},
      {RedisFailure::kMissing, {"DEL", parameters}},
      {RedisFailure::kMissing, {"FLUSHALL"}},
      {RedisFailure::kMissing, {"SET", "GENERATION", ""}},
      {RedisFailure::kMissing, {"PEXPIREAT", "GENERATION", "1"}},
      {RedisFailure::kChanged, {"SET", "GENERATION", "short"}},
      {RedisFailure::kChanged, {"APPEND", "GENERATION", "x"}},
      {RedisFailure::kRefused, {"LPUSH", "LIST", "GENERATION"}},
      {RedisFailure::kRefused, {"LPUSH", "LIST", parameters}},
      {RedisFailure::kChanged, {"HSET", parameters, "num_hashes", "4"}},
      {RedisFailure::kChanged, {"HSET", parameters, "window_ms", "1000"}},
      {RedisFailure::kChanged, {"HSET", parameters, "version", "other"}},
      {RedisFailure::kChanged, {"HSET", parameters, "extra", "1"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "seed"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "generations"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "updates"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "created"}},
      {RedisFailure::kChanged, {"HDEL", parameters, "state_checksum"}},
      {RedisFailure::kChanged, {"HSET", parameters, "updates", "0"}},
      {RedisFailure::kChanged, {"HSET", parameters, "updates", "many"}},
      {RedisFailure::kChanged, {"HSET", parameters, "created", ""}},
      {RedisFailure::kChanged, {"HSET", parameters, "created", "1:1"}},
      {RedisFailure::kChanged, {"HSET", parameters, "state_checksum", "0"}},
  };
  for (const Damage& damage : damages) {
    CAPTURE(damage.words);
    redis(*client, "FLUSHALL");
    RotatingInRedis seen = created_rotating(client, kDayLong);
    CHECK(seen.lookup_and_insert("member").is_absent());
    std::vector<std::string> words = damage.words;
    for (std::string& word : words) {
      if (word == "GENERATION") word = newest_key(seen);
    }
    if (words.size() == 3 && words[1] == "LIST") {
      redis(*client, "DEL", words[2]);
      words = {"LPUSH", words[2], "a"};
    }
    run_words(*client, words);
    check_rotating_fails(*client, seen, damage.failure);
  }
}

TEST_CASE("rotating in Redis: a list of generations with a right checksum must be valid",
          "[redis][faults][rotating]") {
  RedisProcess process;
  const auto client = connect_redis(process.url());
  RotatingInRedis seen = created_rotating(client, kDayLong);
  CHECK(seen.lookup_and_insert("member").is_absent());
  const std::string number = std::to_string(seen.live_generations().front().generation.number);
  for (const std::string& created : std::vector<std::string>{
           number + ":1 " + number + ":1", number + ":1 1:1", "1:1 " + number + ":1", number,
           number + ":", number + ":x", " " + number + ":1", number + ":1 ", number + ":1  9:1",
           "99999999999999999999:1", "-1:1"}) {
    CAPTURE(created);
    const RedisReply checksum = client->command(
        "", RedisCommands().add("EVAL", "return redis.sha1hex(ARGV[1])", 0, "1;" + created));
    redis(*client, "HSET", kRotatingParameters, "created", created, "state_checksum",
          std::string(checksum.view().text()));
    const RedisAnswer answer = seen.lookup("member");
    REQUIRE(answer.error() != nullptr);
    CHECK(answer.error()->failure() == RedisFailure::kChanged);
  }
}

TEST_CASE("rotating in Redis: parameters with any damaged field are refused",
          "[redis][faults][rotating]") {
  RedisProcess process;
  const auto client = connect_redis(process.url());
  static_cast<void>(created_rotating(client, kDayLong).lookup_and_insert("member"));
  const RedisFields good = read_fields(*client, kRotatingParameters);
  CHECK(good.size() == 20);
  for (const auto& [name, value] : good) {
    if (name == "state_checksum") continue;  // only a script can check it
    for (const char* damage : {"", "-1", "3", "4294967296", "18446744073709551615", "nan", "x"}) {
      if (value == damage) continue;
      CAPTURE(name, damage);
      redis(*client, "HSET", kRotatingParameters, name, damage);
      try {
        RotatingInRedis seen = opened_rotating(client);
        CHECK_FALSE(seen.lookup("member").is_absent());
        CHECK(seen.lookup("member").error() != nullptr);
      } catch (const RedisError& error) {
        CHECK(error.failure() == RedisFailure::kChanged);
      } catch (const ConfigError&) {
        CHECK(name == "scheme");  // a filter of another kind
      }
    }
    redis(*client, "HDEL", kRotatingParameters, name);
    CHECK_THROWS(opened_rotating(client));
    redis(*client, "HSET", kRotatingParameters, name, value);
  }
  CHECK(opened_rotating(client).lookup("member").presence() == Presence::kPresent);
}

TEST_CASE("rotating in Redis: a restart keeps all inserts, or is an error",
          "[redis][faults][rotating]") {
  const std::string mode = GENERATE(as<std::string>(), "append-only", "snapshot", "empty");
  CAPTURE(mode);
  RedisProcess process(
      mode == "append-only"
          ? std::vector<std::string>{"--appendonly", "yes", "--appendfsync", "always"}
          : std::vector<std::string>{"--dbfilename", "dump.rdb"});
  const auto client = std::make_shared<RedisServer>(process.url(), RedisTimeouts{}, kQuickRetries);
  RotatingInRedis seen = created_rotating(client, kDayLong);
  CHECK(seen.lookup_and_insert("early").is_absent());
  if (mode == "snapshot") redis(*client, "SAVE");
  CHECK(seen.lookup_and_insert("late").is_absent());
  process.restart();
  if (mode == "append-only") {
    CHECK(seen.lookup("late").presence() == Presence::kPresent);
    CHECK(seen.lookup_and_insert("early").presence() == Presence::kPresent);
    return;
  }
  check_rotating_fails(*client, seen,
                       mode == "empty" ? RedisFailure::kMissing : RedisFailure::kChanged);
  if (mode == "snapshot") {
    seen.reopen();
    CHECK(seen.lookup("early").presence() == Presence::kPresent);
    CHECK(seen.lookup_and_insert("late").is_absent());
  } else {
    CHECK_THROWS_AS(seen.reopen(), RedisError);
  }
}

TEST_CASE("rotating in Redis: a server with full memory answers queries and refuses inserts",
          "[redis][faults][rotating]") {
  ShiftedClock clock;
  RedisProcess process({}, clock.launcher());
  const auto client = connect_redis(process.url());
  RotatingInRedis seen = created_rotating(client, kDayLong);
  CHECK(seen.lookup_and_insert("member").is_absent());
  redis(*client, "CONFIG", "SET", "maxmemory-policy", "noeviction");
  redis(*client, "CONFIG", "SET", "maxmemory", "1");
  for (const bool begins_generation : {false, true}) {
    if (begins_generation) clock.advance(hours(4));
    const RedisFields before = read_fields(*client, kRotatingParameters);
    const auto keys = all_keys(*client);
    const RedisAnswer answer = seen.lookup_and_insert("other");
    REQUIRE(answer.error() != nullptr);
    CHECK(answer.error()->failure() == RedisFailure::kRefused);
    CHECK(answer.error()->code() == "OOM");
    CHECK(seen.lookup("member").presence() == Presence::kPresent);
    CHECK(seen.lookup("other").is_absent());
    CHECK(all_keys(*client) == keys);
    CHECK(read_fields(*client, kRotatingParameters) == before);
  }
  redis(*client, "CONFIG", "SET", "maxmemory", "0");
  CHECK(seen.lookup_and_insert("other").is_absent());
  CHECK(seen.lookup_and_insert("member").presence() == Presence::kPresent);
}

TEST_CASE(
    "rotating in Redis: an insert whose reply is cut at any byte is repeated with its answers",
    "[redis][cut][rotating]") {
  RedisProcess process;
  CuttingProxy proxy(process.port());
  const auto direct = connect_redis(process.url());
  static_cast<void>(created_rotating(
      direct, {.window = hours(24), .capacity = 10'000, .target_false_positive_rate = 1e-12}));
  RotatingInRedis once =
      opened_rotating(std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kOnce));
  RotatingInRedis again =
      opened_rotating(std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kQuickRetries));
  const auto key = [](const char* prefix, std::uint64_t i) { return prefix + std::to_string(i); };
  const std::uint64_t num_before = proxy.num_reply_bytes();
  static_cast<void>(once.lookup_and_insert("first"));
  const std::uint64_t num_bytes = proxy.num_reply_bytes() - num_before;
  REQUIRE(num_bytes > 10);
  std::uint64_t num_lost = 0;
  for (std::uint64_t i = 0; i < num_bytes; ++i) {
    CAPTURE(i, num_bytes);
    const std::string one = key("one-", i);
    const std::string two = key("two-", i);
    // The server executes the insert, but the reply is lost.
    proxy.cut_after(i);
    const RedisAnswer answer = once.lookup_and_insert(one);
    proxy.never_cut();
    if (answer.error() != nullptr) {
      ++num_lost;
      CHECK(answer.error()->failure() == RedisFailure::kUnreachable);
    }
    CHECK_FALSE(answer.is_absent());
    CHECK(once.lookup(one).presence() == Presence::kPresent);
    // The second attempt receives the answers of the first one: absent, although the key is there.
    proxy.cut_after(i);
    const std::vector<KeyView> keys = {KeyView(one), KeyView(two), KeyView(two)};
    const auto answers = again.query_and_insert(keys);
    proxy.never_cut();
    CHECK(answers == std::vector{Presence::kPresent, Presence::kAbsent, Presence::kPresent});
    // Another call of the same client is not a repetition.
    CHECK(again.lookup_and_insert(two).presence() == Presence::kPresent);
  }
  CHECK(num_lost == num_bytes);
  // Each insert was executed once.
  CHECK(read_fields(*direct, kRotatingParameters).at("updates") ==
        std::to_string(1 + num_bytes * (1 + 3 + 1)));
}

TEST_CASE("rotating in Redis: a query whose reply is cut at any byte is an error",
          "[redis][cut][rotating]") {
  RedisProcess process;
  CuttingProxy proxy(process.port());
  const auto direct = connect_redis(process.url());
  CHECK(created_rotating(direct, kDayLong).lookup_and_insert("member").is_absent());
  RotatingInRedis once =
      opened_rotating(std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kOnce));
  const std::uint64_t num_before = proxy.num_reply_bytes();
  static_cast<void>(once.lookup("member"));
  const std::uint64_t num_bytes = proxy.num_reply_bytes() - num_before;
  for (std::uint64_t i = 0; i < num_bytes; ++i) {
    CAPTURE(i, num_bytes);
    proxy.cut_after(i);
    const RedisAnswer answer = once.lookup("member");
    proxy.never_cut();
    REQUIRE(answer.error() != nullptr);
    CHECK(answer.error()->failure() == RedisFailure::kUnreachable);
  }
}

TEST_CASE("rotating in Redis: a repeated call finds its reply in the next period and generation",
          "[redis][cut][rotating]") {
  // Sends the script of an insert twice, as a client does whose first reply is lost.
  class TwiceClient final : public RedisClient {
   public:
    TwiceClient(std::shared_ptr<RedisClient> client, ShiftedClock& clock, milliseconds delay)
        : client_(std::move(client)), clock_(clock), delay_(delay) {}

    std::vector<RedisReply> run(std::string_view key, const RedisCommands& commands) override {
      const bool inserts =
          commands.wire().find(rotating_scripts::insert_script()) != std::string_view::npos;
      if (inserts) {
        static_cast<void>(client_->run(key, commands));
        clock_.advance(delay_);
      }
      return client_->run(key, commands);
    }

    [[nodiscard]] std::string name() const override { return client_->name(); }

    [[nodiscard]] bool is_cluster() const noexcept override { return false; }

   private:
    std::shared_ptr<RedisClient> client_;
    ShiftedClock& clock_;
    milliseconds delay_;
  };

  ShiftedClock clock;
  RedisProcess process({}, clock.launcher());
  const auto client = connect_redis(process.url());
  static_cast<void>(created_rotating(client, {.window = milliseconds(7 * 60'000),
                                              .capacity = 10'000,
                                              .target_false_positive_rate = 1e-12}));
  // The smallest delay is a retry at once. The replies are kept for at least 10 minutes, and a
  // clock that is set back does not shorten this time.
  for (const std::int64_t delay_s : {0, 61, 301, 540, 595, -300, -3600}) {
    CAPTURE(delay_s);
    RotatingInRedis seen =
        opened_rotating(std::make_shared<TwiceClient>(client, clock, milliseconds(1000 * delay_s)));
    for (int i = 0; i < 12; ++i) {
      const std::string key = "key-" + std::to_string(delay_s) + "-" + std::to_string(i);
      CHECK(seen.lookup_and_insert(key).is_absent());
      clock.advance(milliseconds(50'000));
    }
  }
}

TEST_CASE("rotating in Redis: a reply of the wrong form is an error",
          "[redis][hostile][rotating]") {
  RedisProcess process;
  const auto real = connect_redis(process.url());
  static_cast<void>(created_rotating(real, kDayLong));
  const RotatingLocation location = find_rotating_in_redis(*real, "seen");
  const std::string array = "*5\r\n:1\r\n";
  for (const std::string& reply : std::vector<std::string>{
           "+OK\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", ":1\r\n", "-ERR no\r\n", "*2147483647\r\n",
           "*3\r\n:1\r\n:1\r\n$1\r\n2\r\n", "*3\r\n:1\r\n:1\r\n$2\r\n00\r\n",
           "*3\r\n:1\r\n:1\r\n$0\r\n\r\n", "*3\r\n:1\r\n:1\r\n$-1\r\n",
           "*3\r\n:-1\r\n$1\r\n0\r\n:1\r\n", array + "*0\r\n:1\r\n*0\r\n$1\r\n0\r\n",
           array + "*1\r\n$1\r\na\r\n:1\r\n*0\r\n$1\r\n0\r\n",
           array + "$-1\r\n$-1\r\n$-1\r\n$-1\r\n"}) {
    CAPTURE(reply);
    TalkingServer server(replying(reply));
    const auto client = std::make_shared<RedisServer>(
        server.url(), RedisTimeouts{.command = milliseconds(40)}, kOnce);
    RotatingInRedis seen(client, location, Xxh3Hasher(0));
    const RedisAnswer query = seen.lookup("member");
    CHECK_FALSE(query.is_absent());
    CHECK(query.error() != nullptr);
    const RedisAnswer insert = seen.lookup_and_insert("member");
    CHECK_FALSE(insert.is_absent());
    CHECK(insert.error() != nullptr);
    CHECK_THROWS_AS(seen.live_generations(), RedisError);
  }
}

TEST_CASE("rotating in Redis: wait_for_replicas confirms inserts, which survive a failover",
          "[redis][rotating]") {
  const RedisProcess master({"--repl-diskless-sync-delay", "0"});
  const RedisProcess replica({"--replicaof", "127.0.0.1 " + std::to_string(master.port())});
  const auto client = connect_redis(master.url());
  const auto successor = connect_redis(replica.url());
  for (int i = 0;; ++i) {
    REQUIRE(i < 400);
    const RedisReply info = successor->command("", RedisCommands().add("INFO", "replication"));
    if (info.view().text().find("master_link_status:up") != std::string_view::npos) break;
    std::this_thread::sleep_for(milliseconds(25));
  }
  RotatingInRedis seen = created_rotating(client, kDayLong);
  CHECK(seen.lookup_and_insert("confirmed").is_absent());
  CHECK_NOTHROW(seen.wait_for_replicas(1, milliseconds(2000)));
  const std::string updates = read_fields(*client, kRotatingParameters).at("updates");
  CHECK(updates == "1");  // waiting does not insert

  const int pid = replica.pid();
  REQUIRE(::kill(pid, SIGSTOP) == 0);
  CHECK(seen.lookup_and_insert("unconfirmed").is_absent());
  const RedisError error = redis_error_of([&] { seen.wait_for_replicas(1, milliseconds(100)); });
  CHECK(error.failure() == RedisFailure::kUnreachable);
  CHECK(contains_text(error.what(), "was changed on 0 of 1 replicas in 100 ms"));
  CHECK(redis_error_of([&] { seen.wait_for_replicas(2, milliseconds(100)); }).failure() ==
        RedisFailure::kUnreachable);
  redis(*client, "CLIENT", "KILL", "TYPE", "replica");
  REQUIRE(::kill(pid, SIGCONT) == 0);
  redis(*successor, "REPLICAOF", "NO", "ONE");
  RotatingInRedis after = opened_rotating(successor);
  CHECK(after.lookup("confirmed").presence() == Presence::kPresent);
  CHECK(after.lookup_and_insert("new").is_absent());
}

}  // namespace
}  // namespace bloometry
