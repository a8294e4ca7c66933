#include "variants/redis/redis_filter.hpp"

#include <string>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/redis_url.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/redis_process.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using test::numbered_keys;
using test::views_of;

std::vector<Presence> answers_of(const Keyed<StandardFilter>& filter,
                                 const std::vector<std::string>& keys) {
  std::vector<Presence> answers;
  for (const std::string& key : keys) {
    answers.push_back(filter.contains(key) ? Presence::kPresent : Presence::kAbsent);
  }
  return answers;
}

TEMPLATE_TEST_CASE("a loaded filter answers like the local filter", "[redis]", StandardFilter,
                   PartitionedFilter, BlockedFilter, SplitBlockFilter) {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<TestType> here({.capacity = 2000, .target_false_positive_rate = 0.05}, 7);
  const auto members = numbered_keys(0, 2000);
  here.insert(views_of(members));
  const auto queried = numbered_keys(1000, 5000);

  for (const std::uint64_t num_shards : {1, 3}) {
    load_into_redis(*client, "seen", image_of(here), {.num_shards = num_shards});
    for (const ReadMethod method :
         {ReadMethod::kBest, ReadMethod::kGetBit, ReadMethod::kBitField}) {
      const Xxh3Hasher hasher(7);
      RedisFilter there(client, find_in_redis(*client, "seen"), hash_call(hasher),
                        {.method = method, .batch_keys = 700});
      const auto answers = there.query(views_of(queried));
      REQUIRE(answers.size() == queried.size());
      std::size_t num_wrong = 0;
      for (std::size_t i = 0; i < queried.size(); ++i) {
        num_wrong += static_cast<std::size_t>((answers[i] == Presence::kPresent) !=
                                              here.contains(queried[i]));
      }
      CHECK(num_wrong == 0);
    }
  }
}

TEST_CASE("inserted keys are present, and inserts set the bits of a local filter", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 20000, .num_hashes = 5}, 0);
  create_in_redis(*client, "seen", native_parameters(image_of(here).header));
  RedisFilter there(client, find_in_redis(*client, "seen"), Xxh3Hasher(0));
  const auto keys = numbered_keys(0, 2500);
  const std::uint64_t num_new = here.insert(views_of(keys));
  CHECK(there.insert(views_of(keys)).num_new == num_new);
  std::vector<std::uint64_t> words(here.filter().bits().words().size());
  pull_from_redis(client, find_in_redis(*client, "seen"), words);
  CHECK(std::equal(words.begin(), words.end(), here.filter().bits().words().begin()));
}

TEST_CASE("getrange is refused for a filter without blocks", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  const Xxh3Hasher hasher(0);
  const auto keys = numbered_keys(0, 10);
  const std::string complaint =
      "method must be best, getbit or bitfield for a filter without blocks, got getrange";
  Keyed<BlockedFilter> blocked({.num_bits = 5120, .num_hashes = 3}, 0);
  Keyed<StandardFilter> standard({.num_bits = 5120, .num_hashes = 3}, 0);
  load_into_redis(*client, "seen", image_of(blocked));
  RedisFilter there(client, find_in_redis(*client, "seen"), hash_call(hasher),
                    {.method = ReadMethod::kGetRange});
  CHECK(there.query(views_of(keys)) == std::vector(10, Presence::kAbsent));
  load_into_redis(*client, "seen", image_of(standard));
  CHECK(test::contains_text(
      test::message_of<RedisError>([&] { static_cast<void>(there.query(views_of(keys))); }),
      "contains another version of the filter"));
  CHECK(test::message_of<ConfigError>([&] { there.reopen(); }) == complaint);
  CHECK(test::message_of<ConfigError>([&] {
          RedisFilter again(client, find_in_redis(*client, "seen"), hash_call(hasher),
                            {.method = ReadMethod::kGetRange});
        }) == complaint);
}

TEST_CASE("a filter that lost bits of its load is reported", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  const std::uint64_t num_shards = GENERATE(1, 3);
  Keyed<StandardFilter> here({.num_bits = 20000, .num_hashes = 5}, 0);
  here.insert(views_of(numbered_keys(0, 100)));
  load_into_redis(*client, "seen", image_of(here), {.num_shards = num_shards});
  const RedisLocation location = find_in_redis(*client, "seen");
  CHECK(location.parameters.num_ones == here.filter().state().num_ones);
  CHECK_NOTHROW(require_kept_bits(*client, location));
  const std::string key = location.keys().back();
  const auto length = client->command(key, RedisCommands().add("STRLEN", key)).view().integer();

  SECTION("one lost bit is reported") {
    const auto offset =
        client->command(key, RedisCommands().add("BITPOS", key, 1)).view().integer();
    static_cast<void>(client->command(key, RedisCommands().add("SETBIT", key, offset, 0)));
    CHECK(test::contains_text(
        test::message_of<RedisError>([&] { require_kept_bits(*client, location); }),
        "has lost members: at least " + std::to_string(here.filter().state().num_ones) + " bits"));
  }
  SECTION("a deleted bitmap of the same length is reported") {
    static_cast<void>(client->command(key, RedisCommands().add("DEL", key)));
    static_cast<void>(client->command(key, RedisCommands().add("SETBIT", key, 8 * length - 1, 1)));
    CHECK_THROWS_AS(require_kept_bits(*client, location), RedisError);
  }
  SECTION("added bits are accepted") {
    RedisFilter there(client, location, Xxh3Hasher(0));
    there.insert(views_of(numbered_keys(100, 100)));
    CHECK_NOTHROW(require_kept_bits(*client, find_in_redis(*client, "seen")));
  }
}

TEST_CASE("a filter of version 0.1.0 with keys must have a set bit", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 20000, .num_hashes = 5}, 0);
  FilterImage image = image_of(here);
  image.header.notes.num_inserted = 7;
  load_into_redis(*client, "seen", image);
  RedisLocation location = find_in_redis(*client, "seen");
  location.parameters.num_ones.reset();
  CHECK_THROWS_AS(require_kept_bits(*client, location), RedisError);
  location.parameters.notes.num_inserted = 0;
  CHECK_NOTHROW(require_kept_bits(*client, location));
  location.fields["updates"] = "1";
  CHECK_THROWS_AS(require_kept_bits(*client, location), RedisError);
}

TEST_CASE("a load that requires a free key does not replace a filter", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 20000, .num_hashes = 5}, 0);
  const RedisParameters parameters = native_parameters(image_of(here).header);
  RedisLoadOptions options{.needs_free_key = true};
  create_in_redis(*client, "free", parameters, options);
  CHECK(find_in_redis(*client, "free").parameters.num_bits == 20000);

  // While this program sends the only slice, another program creates the filter and adds a key.
  options.on_progress = [&](std::uint64_t, std::uint64_t) {
    create_in_redis(*client, "seen", parameters);
    RedisFilter(client, find_in_redis(*client, "seen"), Xxh3Hasher(0)).insert(views_of({"a key"}));
  };
  CHECK_THROWS_AS(create_in_redis(*client, "seen", parameters, options), RedisError);
  RedisFilter there(client, find_in_redis(*client, "seen"), Xxh3Hasher(0));
  CHECK(there.lookup("a key").presence() == Presence::kPresent);
  CHECK(client->command("", RedisCommands().add("DBSIZE")).view().integer() == 4);
  options.num_shards = 2;
  CHECK(test::message_of<ConfigError>([&] {
          create_in_redis(*client, "cut", parameters, options);
        }) == "num_shards must be 1 for a filter that is created, got 2");
  options.num_shards.reset();
  CHECK(test::message_of<ConfigError>([&] {
          create_in_redis(*client, "pb",
                          foreign_parameters(RedisScheme::kPyrebloom, {5'000'000'000, 2}), options);
        }) == "num_bits must be at most 4294967295 for a filter that is created, got 5000000000");
}

TEST_CASE("a filter is reached through a Unix socket", "[redis]") {
  const ScratchFolder folder("bloometry-redis-socket-");
  const std::string socket = (folder.path() / "redis.sock").string();
  test::RedisProcess server({"--unixsocket", socket});
  const RedisUrl url = parse_redis_url("unix:" + socket + "?db=2");
  const auto client = connect_redis(url);
  Keyed<StandardFilter> here({.num_bits = 20'000, .num_hashes = 5}, 7);
  const auto members = numbered_keys(0, 1000);
  here.insert(views_of(members));
  load_into_redis(*client, "seen", image_of(here));
  RedisFilter there(client, find_in_redis(*client, "seen"), Xxh3Hasher(7));
  const auto queried = numbered_keys(500, 2000);
  CHECK(there.query(views_of(queried)) == answers_of(here, queried));
  there.insert(std::vector{KeyView("late")});

  // Over TCP, the filter is also in database 2 and not in database 0.
  RedisUrl tcp = server.url();
  CHECK_THROWS_AS(find_in_redis(*connect_redis(tcp), "seen"), RedisError);
  tcp.database = 2;
  RedisFilter same(connect_redis(tcp), find_in_redis(*connect_redis(tcp), "seen"), Xxh3Hasher(7));
  CHECK(same.query(std::vector{KeyView("late")}).front() == Presence::kPresent);

  server.kill();
  const RedisAnswer answer = there.lookup("key-0");
  REQUIRE(answer.error() != nullptr);
  CHECK(answer.error()->failure() == RedisFailure::kUnreachable);
  CHECK(std::string(answer.error()->what()).find(socket) != std::string::npos);
}

TEST_CASE("one BITFIELD_RO reads 100,000 bits", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 200'000, .num_hashes = 5}, 7);
  const auto members = numbered_keys(0, 10'000);
  here.insert(views_of(members));
  load_into_redis(*client, "seen", image_of(here));
  const auto queried = numbered_keys(0, 20'000);
  RedisFilter there(client, find_in_redis(*client, "seen"), hash_call(here.hasher()),
                    {.method = ReadMethod::kBitField, .batch_keys = queried.size()});
  CHECK(there.query(views_of(queried)) == answers_of(here, queried));
  const RedisReply calls = client->command("", RedisCommands().add("INFO", "commandstats"));
  CHECK(calls.view().text().find("cmdstat_bitfield_ro:calls=1,") != std::string_view::npos);
}

}  // namespace
}  // namespace bloometry
