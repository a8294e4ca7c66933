#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/redis/connect_redis.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/redis_process.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using test::numbered_keys;
using test::views_of;

std::uint64_t num_keys_in(RedisClient& client) {
  return static_cast<std::uint64_t>(
      client.command("", RedisCommands().add("DBSIZE")).view().integer());
}

std::int64_t ttl_of(RedisClient& client, const std::string& key) {
  return client.command(key, RedisCommands().add("PTTL", key)).view().integer();
}

TEST_CASE("shards together have the bits of the filter, whatever their number", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 100'003, .num_hashes = 5});
  const auto keys = numbered_keys(0, 8000);
  here.insert(views_of(keys));
  const auto cells = here.filter().bits().words();
  for (const std::uint64_t num_shards : {1, 2, 3, 7, 64, 195}) {
    CAPTURE(num_shards);
    load_into_redis(*client, "seen", image_of(here), {.num_shards = num_shards});
    const RedisLocation location = find_in_redis(*client, "seen");
    CHECK(location.is_cut() == (num_shards > 1));
    std::uint64_t num_bits = 0;
    for (std::uint64_t i = 0; i < location.keys().size(); ++i)
      num_bits += location.bits_of_string(i);
    CHECK(num_bits == 100'003);
    std::vector<std::uint64_t> words(cells.size());
    pull_from_redis(client, location, words);
    CHECK(std::equal(words.begin(), words.end(), cells.begin()));
  }
  CHECK(test::message_of<ConfigError>([&] {
          load_into_redis(*client, "seen", image_of(here), {.num_shards = 197});
        }) == "num_shards must be in [1, 196], got 197");
}

TEST_CASE("in filters of blocks a key is in one shard", "[redis]") {
  const Keyed<BlockedFilter> filter({.num_blocks = 1000, .num_hashes = 6});
  RedisParameters parameters = native_parameters(image_of(filter).header);
  const BitOffsets offsets(parameters, hash_call(filter.hasher()));
  const auto keys = numbered_keys(0, 1000);
  std::vector<std::uint64_t> bits(keys.size() * 6);
  offsets.write(views_of(keys), bits);
  for (std::size_t key = 0; key < keys.size(); ++key) {
    for (std::size_t i = 1; i < 6; ++i) CHECK(bits[6 * key + i] / 512 == bits[6 * key] / 512);
  }
}

TEMPLATE_TEST_CASE("keys added to shards are those of a local filter", "[redis]", StandardFilter,
                   BlockedFilter, SplitBlockFilter) {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<TestType> here({.capacity = 4000, .target_false_positive_rate = 0.02}, 5);
  create_in_redis(*client, "seen", native_parameters(image_of(here).header), {.num_shards = 5});
  RedisFilter there(client, find_in_redis(*client, "seen"), Xxh3Hasher(5));
  const auto keys = numbered_keys(0, 4000);
  here.insert(views_of(keys));
  there.insert(views_of(keys));
  std::vector<std::uint64_t> words(here.filter().bits().words().size());
  pull_from_redis(client, find_in_redis(*client, "seen"), words);
  CHECK(std::equal(words.begin(), words.end(), here.filter().bits().words().begin()));
  const auto queried = numbered_keys(2000, 9000);
  const auto answers = there.query(views_of(queried));
  for (std::size_t i = 0; i < queried.size(); ++i) {
    REQUIRE((answers[i] == Presence::kPresent) == here.contains(queried[i]));
  }
}

TEST_CASE("a new version replaces shards, and the old ones expire", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<BlockedFilter> filter({.num_blocks = 100, .num_hashes = 6});
  load_into_redis(*client, "seen", image_of(filter), {.num_shards = 4});
  const RedisLocation before = find_in_redis(*client, "seen");
  RedisFilter handle(client, before, Xxh3Hasher(0));
  CHECK(num_keys_in(*client) == 9);

  const auto keys = numbered_keys(0, 100);
  filter.insert(views_of(keys));
  load_into_redis(*client, "seen", image_of(filter), {.num_shards = 3});
  for (const std::string& key : before.keys()) {
    const std::int64_t left_of_parameters = ttl_of(*client, parameters_key(key));
    const std::int64_t left = ttl_of(*client, key);
    CHECK(left_of_parameters > 0);
    CHECK(left > 0);
    CHECK(left <= 60'000);
  }
  // The shards of the previous version still exist, but queries must not use them.
  const RedisAnswer answer = handle.lookup(keys.front());
  REQUIRE(answer.error() != nullptr);
  CHECK(answer.error()->failure() == RedisFailure::kChanged);
  CHECK_FALSE(answer.is_absent());
  handle.reopen();
  CHECK(handle.query(views_of(keys)) == std::vector<Presence>(keys.size(), Presence::kPresent));

  // Replaces the shards by one string.
  load_into_redis(*client, "seen", image_of(filter));
  CHECK(handle.lookup(keys.front()).error() != nullptr);
  handle.reopen();
  CHECK_FALSE(handle.location().is_cut());
  CHECK(handle.query(views_of(keys)) == std::vector<Presence>(keys.size(), Presence::kPresent));
  // Replaces the one string by shards.
  load_into_redis(*client, "seen", image_of(filter), {.num_shards = 2});
  CHECK(handle.lookup(keys.front()).error() != nullptr);
  handle.reopen();
  CHECK(handle.location().is_cut());
  CHECK(handle.query(views_of(keys)) == std::vector<Presence>(keys.size(), Presence::kPresent));
  CHECK(drop_from_redis(*client, "seen"));
  CHECK(test::message_of<RedisError>([&] { handle.reopen(); }).find("key 'seen' does not exist") !=
        std::string::npos);
}

TEST_CASE("a missing shard is an error", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<BlockedFilter> filter({.num_blocks = 100, .num_hashes = 6});
  const auto keys = numbered_keys(0, 100);
  filter.insert(views_of(keys));
  const bool loses_parameters = GENERATE(false, true);
  load_into_redis(*client, "seen", image_of(filter), {.num_shards = 2});
  RedisFilter handle(client, find_in_redis(*client, "seen"), Xxh3Hasher(0));
  const std::string shard = handle.location().keys().back();
  const std::string lost = loses_parameters ? parameters_key(shard) : shard;
  static_cast<void>(client->command(lost, RedisCommands().add("DEL", lost)));
  std::size_t num_errors = 0;
  for (const std::string& key : keys) {
    const RedisAnswer answer = handle.lookup(key);
    CHECK_FALSE(answer.is_absent());
    num_errors += static_cast<std::size_t>(answer.error() != nullptr);
  }
  CHECK(num_errors > 20);
  CHECK(num_errors < 80);
  CHECK_THROWS_AS(handle.insert(views_of(keys)), RedisError);
}

// The following test needs 1 GB of memory and some seconds.
TEST_CASE("a filter above 2^32 bits is divided without being requested", "[redis][.large]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<BlockedFilter> here({.num_blocks = 9'000'000, .num_hashes = 7});
  const auto keys = numbered_keys(0, 20'000);
  here.insert(views_of(keys));
  load_into_redis(*client, "large", image_of(here));
  RedisFilter there(client, find_in_redis(*client, "large"), Xxh3Hasher(0));
  CHECK(there.location().parameters.num_bits == 4'608'000'000);
  CHECK(there.location().parameters.num_shards == 2);
  const auto queried = numbered_keys(0, 40'000);
  const auto answers = there.query(views_of(queried));
  for (std::size_t i = 0; i < queried.size(); ++i) {
    REQUIRE((answers[i] == Presence::kPresent) == here.contains(queried[i]));
  }
  CHECK(there.insert(views_of(queried)).num_new > 19'990);
  const std::uint64_t before = num_keys_in(*client);
  CHECK(before == 5);
}

}  // namespace
}  // namespace bloometry
