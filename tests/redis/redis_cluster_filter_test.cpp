#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/redis/cluster_slots.hpp"
#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_error.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/redis_cluster_process.hpp"
#include "tests/redis/rotating_trial.hpp"
#include "tests/support/catch.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using test::numbered_keys;
using test::views_of;

template <class F>
FilterImage image_of_keyed(const Keyed<F>& filter) {
  FilterImage image = image_of(filter.filter());
  file_detail::describe_hasher(filter.hasher(), image.header);
  return image;
}

/// Returns the number of keys for which the filter in Redis and the local filter return different
/// answers.
template <class Here>
std::size_t num_different(RedisFilter& there, const Here& here,
                          const std::vector<std::string>& keys) {
  const auto answers = there.query(views_of(keys));
  REQUIRE(answers.size() == keys.size());
  std::size_t num = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if ((answers[i] == Presence::kPresent) != here.contains(keys[i])) ++num;
  }
  return num;
}

RedisFailure failure_of_find(RedisClient& client, const std::string& name) {
  try {
    static_cast<void>(find_in_redis(client, name));
  } catch (const RedisError& error) {
    return error.failure();
  }
  FAIL("it is still there");
  throw std::logic_error("not reached");
}

/// Returns the number of Redis keys on all servers of the cluster.
std::size_t num_keys_of(test::RedisClusterProcess& cluster) {
  std::size_t num_keys = 0;
  for (std::size_t i = 0; i < cluster.num_nodes(); ++i) {
    num_keys += static_cast<std::size_t>(cluster.command(i, "DBSIZE").view().integer());
  }
  return num_keys;
}

TEMPLATE_TEST_CASE("a filter in a cluster answers like a local filter", "[redis][cluster]",
                   StandardFilter, PartitionedFilter, BlockedFilter, SplitBlockFilter) {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  REQUIRE(client->is_cluster());
  const std::uint64_t num_shards = GENERATE(1, 6);
  CAPTURE(num_shards);
  Keyed<TestType> here({.capacity = 4000, .target_false_positive_rate = 0.05}, 7);
  here.insert(views_of(numbered_keys(0, 2000)));
  load_into_redis(*client, "seen", image_of_keyed(here), {.num_shards = num_shards});
  RedisFilter there(client, find_in_redis(*client, "seen"), Xxh3Hasher(7));

  std::set<std::size_t> masters;
  for (const std::string& key : there.location().keys()) {
    masters.insert(cluster.master_of(cluster_slot(key)));
  }
  CHECK(masters.size() == (num_shards == 1 ? 1 : 3));

  CHECK(num_different(there, here, numbered_keys(1000, 5000)) == 0);
  here.insert(views_of(numbered_keys(2000, 4000)));
  there.insert(views_of(numbered_keys(2000, 4000)));
  CHECK_NOTHROW(there.wait_for_replicas(1, std::chrono::milliseconds(4000)));
  CHECK(num_different(there, here, numbered_keys(1000, 5000)) == 0);

  const FilterImage image = image_of(here.filter());
  std::vector<std::uint64_t> words(image.stores.front().size());
  pull_from_redis(client, there.location(), words);
  CHECK(std::equal(words.begin(), words.end(), image.stores.front().begin()));

  CHECK(drop_from_redis(*client, "seen"));
  CHECK_FALSE(drop_from_redis(*client, "seen"));
  CHECK(failure_of_find(*client, "seen") == RedisFailure::kMissing);
  CHECK(there.lookup(std::string_view("key-1")).error() != nullptr);
}

TEST_CASE("a filter of another program in a cluster answers like a local filter",
          "[redis][cluster]") {
  const RedisScheme scheme = GENERATE(RedisScheme::kJedis, RedisScheme::kPyrebloom,
                                      RedisScheme::kPhp3, RedisScheme::kGoSeeded);
  CAPTURE(name_of(scheme));
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  RedisBitmapFilter here(scheme, {.num_bits = 5 * 8192, .num_hashes = 3});
  for (const auto& key : numbered_keys(0, 2000)) here.insert(key);
  load_into_redis(*client, "user:{7}:seen", here);
  RedisFilter there(client, find_in_redis(*client, "user:{7}:seen"));
  CHECK(num_different(there, here, numbered_keys(1000, 5000)) == 0);
  for (const auto& key : numbered_keys(2000, 3000)) here.insert(key);
  there.insert(views_of(numbered_keys(2000, 3000)));
  CHECK(num_different(there, here, numbered_keys(1000, 5000)) == 0);
  CHECK(pull_bitmap_from_redis(client, there.location()) == here);
  CHECK(drop_from_redis(*client, "user:{7}:seen"));
}

TEST_CASE("strings of pyrebloom are in different slots", "[redis][cluster][.long]") {
  // The filter is nearly the largest with two strings. The first string has 512 MiB.
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url(), {.command = std::chrono::seconds(60)});
  const RedisSizes sizes{.num_bits = 2 * kPyrebloomStringBits - 8192, .num_hashes = 4};
  create_in_redis(*client, "pb", foreign_parameters(RedisScheme::kPyrebloom, sizes));
  RedisFilter there(client, find_in_redis(*client, "pb"));
  const auto keys = there.location().keys();
  REQUIRE(keys == std::vector<std::string>{"pb.0", "pb.1"});
  CHECK(cluster.master_of(cluster_slot("pb.0")) != cluster.master_of(cluster_slot("pb.1")));
  there.insert(views_of(numbered_keys(0, 2000)));
  const auto answers = there.query(views_of(numbered_keys(0, 4000)));
  CHECK(std::count(answers.begin(), answers.end(), Presence::kPresent) == 2000);
  CHECK(drop_from_redis(*client, "pb"));
}

TEST_CASE("drop removes all keys of a filter", "[redis][cluster]") {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  const auto count = [&] {
    for (std::size_t i = 0; i < 3; ++i) {  // replicas follow
      static_cast<void>(
          cluster.command(cluster.master_of(static_cast<unsigned>(i * 6000)), "WAIT", 1, 1000));
    }
    return num_keys_of(cluster);
  };
  const std::size_t before = count();
  const Keyed<StandardFilter> here({.num_bits = 20000, .num_hashes = 5}, 0);
  load_into_redis(*client, "gone", image_of_keyed(here), {.num_shards = 5});
  CHECK(count() > before);
  CHECK(drop_from_redis(*client, "gone"));
  CHECK(count() == before);
}

TEST_CASE("rotating in a cluster: keys are new once while the slot moves and its master changes",
          "[redis][cluster]") {
  auto& cluster = test::shared_cluster();
  const auto client = connect_redis(cluster.url());
  const unsigned slot = cluster_slot("turning");
  RotatingInRedis first = test::created_rotating(client,
                                                 {.window = std::chrono::seconds(300),
                                                  .generations = 64,
                                                  .capacity = 1'000'000,
                                                  .target_false_positive_rate = 1e-12},
                                                 "turning");
  for (const std::string& key : rotating_keys("turning", 64)) CHECK(cluster_slot(key) == slot);

  const auto keys = numbered_keys(0, 1500);
  std::array<std::vector<Presence>, 2> answers;
  std::atomic<bool> is_inserting = true;
  const auto insert = [&](std::vector<Presence>& given) {
    const auto mine = connect_redis(cluster.url());
    RotatingInRedis seen = test::opened_rotating(mine, "turning");
    for (const std::string& key : keys) {
      const KeyView view(key);
      given.push_back(seen.query_and_insert({&view, 1}).front());
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  };
  std::thread other([&] {
    insert(answers[1]);
    is_inserting = false;
  });
  std::thread mover([&] {
    while (is_inserting) {
      const std::size_t home = cluster.master_of(slot);
      cluster.move_slot(slot, cluster.master_of((slot + kNumClusterSlots / 3) % kNumClusterSlots),
                        1);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      cluster.move_slot(slot, home, 100);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  insert(answers[0]);
  other.join();
  mover.join();
  std::size_t num_wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_new_once =
        (answers[0][i] == Presence::kAbsent) != (answers[1][i] == Presence::kAbsent);
    if (!is_new_once) ++num_wrong;
  }
  CHECK(num_wrong == 0);

  CHECK_NOTHROW(first.wait_for_replicas(1, std::chrono::milliseconds(4000)));
  cluster.fail_over(slot);
  const auto present = first.query(views_of(keys));
  CHECK(std::count(present.begin(), present.end(), Presence::kAbsent) == 0);
  CHECK(drop_rotating_from_redis(*client, "turning"));
  CHECK(first.lookup("key-1").error() != nullptr);
}

}  // namespace
}  // namespace bloometry
