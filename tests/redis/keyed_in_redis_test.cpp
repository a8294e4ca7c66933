#include "variants/redis/keyed_in_redis.hpp"

#include <string>
#include <vector>

#include "core/hash/siphash_hashers.hpp"
#include "core/redis/connect_redis.hpp"
#include "tests/redis/redis_process.hpp"
#include "tests/support/catch.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

template <class K>
void insert_keys(K& filter, int num_keys) {
  for (int i = 0; i < num_keys; ++i) filter.insert("key-" + std::to_string(i));
}

TEMPLATE_TEST_CASE("keyed_in_redis: a loaded filter is pulled unchanged", "[redis]", StandardFilter,
                   PartitionedFilter, BlockedFilter, SplitBlockFilter) {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<TestType> here({.capacity = 2000, .target_false_positive_rate = 0.05}, 7);
  insert_keys(here, 2000);
  for (const std::uint64_t num_shards : {1, 3}) {
    load_into_redis(*client, "seen", here, {.num_shards = num_shards});
    const auto copy = pull_from_redis<Keyed<TestType>>(client, find_in_redis(*client, "seen"));
    CHECK(copy.filter() == here.filter());
    CHECK(copy.hasher() == here.hasher());
  }
}

TEST_CASE("keyed_in_redis: a filter with a secret needs that secret", "[redis]") {
  using Guarded = Keyed<StandardFilter, SipHash128Hasher>;
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Guarded here({.capacity = 500, .target_false_positive_rate = 0.05}, SipHashKey(1, 2));
  insert_keys(here, 500);
  load_into_redis(*client, "seen", here);
  const RedisLocation location = find_in_redis(*client, "seen");

  CHECK(pull_from_redis<Guarded>(client, location, SipHashKey(1, 2)).filter() == here.filter());
  CHECK_THROWS_WITH(
      pull_from_redis<Guarded>(client, location, SipHashKey(1, 3)),
      client->name() + ": key 'seen': its secret must be the given secret, got another one");
}

TEST_CASE("keyed_in_redis: a filter of another class is refused", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 10000, .num_hashes = 3}, 1);
  load_into_redis(*client, "seen", here);
  const RedisLocation location = find_in_redis(*client, "seen");

  CHECK_THROWS_AS(pull_from_redis<Keyed<BlockedFilter>>(client, location), ConfigError);
  using Guarded = Keyed<StandardFilter, SipHash128Hasher>;
  CHECK_THROWS_AS(pull_from_redis<Guarded>(client, location, SipHashKey(1, 2)), ConfigError);
  Keyed<CountingFilter> counting({.capacity = 100, .target_false_positive_rate = 0.05}, 1);
  CHECK_THROWS_AS(load_into_redis(*client, "seen", counting), ConfigError);
}

TEST_CASE("keyed_in_redis: pulling a missing filter is an error", "[redis]") {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Keyed<StandardFilter> here({.num_bits = 10000, .num_hashes = 3}, 1);
  insert_keys(here, 100);
  load_into_redis(*client, "seen", here);
  const RedisLocation location = find_in_redis(*client, "seen");
  REQUIRE(drop_from_redis(*client, "seen"));
  CHECK_THROWS_AS(pull_from_redis<Keyed<StandardFilter>>(client, location), RedisError);
}

}  // namespace
}  // namespace bloometry
