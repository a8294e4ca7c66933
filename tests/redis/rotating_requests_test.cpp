#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "core/error.hpp"
#include "core/redis/connect_redis.hpp"
#include "tests/redis/rotating_on_shifted_clock.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/redis/keyed_in_redis.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/redis/rotating_in_redis.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::hours;
using std::chrono::milliseconds;

TEST_CASE("rotating in Redis: all keys have the hash tag of the name", "[redis][rotating]") {
  CHECK(rotating_keys("seen", 2) ==
        std::vector<std::string>{"{seen}:parameters", "{seen}:generation:0", "{seen}:generation:1",
                                 "{seen}:replies:0", "{seen}:replies:1"});
  CHECK(rotating_keys("user:{7}", 1) ==
        std::vector<std::string>{"user:{7}:parameters", "user:{7}:generation:0",
                                 "user:{7}:replies:0", "user:{7}:replies:1"});
  CHECK_THROWS_AS(rotating_keys("", 2), ConfigError);
  CHECK_THROWS_AS(rotating_keys("a}{", 2), ConfigError);
}

TEST_CASE("rotating in Redis: invalid requests are refused", "[redis][rotating]") {
  const auto message = [](const RotatingRequest& request) {
    return message_of<ConfigError>([&] { static_cast<void>(rotating_with_xxh3(request)); });
  };
  const RotatingRequest good{.window = hours(24), .capacity = 1000};
  CHECK(message(good) == "nothing thrown");
  auto request = good;
  request.window = milliseconds(6);
  CHECK(contains_text(message(request),
                      "window must be in [7, 10000000000000] ms with 8 generations, got 6"));
  request.window = milliseconds(-5);
  CHECK(contains_text(message(request), "window must be in [7, "));
  request.window = kMaxWindow + milliseconds(1);
  CHECK(contains_text(message(request), "got 10000000000001"));
  request = good;
  for (const std::uint64_t generations : {0, 1, 65}) {
    request.generations = generations;
    CHECK(contains_text(message(request), "generations must be in [2, 64], got "));
  }
  request = good;
  request.capacity = 0;
  CHECK(contains_text(message(request), "capacity must be in [1, "));
  request.capacity = std::uint64_t{1} << 40U;
  CHECK(contains_text(message(request),
                      "must be small enough for generations of at most 4294967296 bits"));
  request = good;
  for (const double rate : {0.0, 1.0, -0.5, std::nan("")}) {
    request.target_false_positive_rate = rate;
    CHECK(contains_text(message(request), "target_false_positive_rate must be in (0, 1), got "));
  }
  request = good;
  for (const char* variant : {"counting", "none", ""}) {
    request.variant = variant;
    CHECK(contains_text(message(request), "variant must be standard"));
  }
  request = good;
  request.probes = "none";
  CHECK(message(request) != "nothing thrown");
}

TEST_CASE("rotating in Redis: a filter of another kind or hash is refused", "[redis][rotating]") {
  RedisProcess process;
  const auto client = connect_redis(process.url());
  static_cast<void>(created_rotating(client, {.window = hours(1), .capacity = 100}));
  const Keyed<StandardFilter> plain({.num_bits = 800, .num_hashes = 3}, 0);
  load_into_redis(*client, "plain", plain);
  const auto refused = [](auto call) { return message_of<ConfigError>(call); };
  const std::string rotates = "key must name a filter that does not rotate, got 'seen'";
  CHECK(
      contains_text(refused([&] { static_cast<void>(find_in_redis(*client, "seen")); }), rotates));
  CHECK(contains_text(refused([&] { load_into_redis(*client, "seen", plain); }), rotates));
  CHECK(contains_text(
      refused([&] { load_into_redis(*client, "seen", plain, {.replaces_anything = true}); }),
      rotates));
  CHECK(contains_text(refused([&] { drop_from_redis(*client, "seen"); }), rotates));
  const std::string does_not = "key must name a rotating filter, got 'plain'";
  CHECK(contains_text(refused([&] { static_cast<void>(find_rotating_in_redis(*client, "plain")); }),
                      does_not));
  CHECK(contains_text(refused([&] { drop_rotating_from_redis(*client, "plain"); }), does_not));
  CHECK(contains_text(refused([&] {
                        RotatingInRedis(client, find_rotating_in_redis(*client, "seen"),
                                        Xxh3Hasher(1));
                      }),
                      "seed must be that of the filter, 0, got 1"));
  const Xxh3Hasher hasher(0);
  CHECK(contains_text(refused([&] {
                        RotatingInRedis(client, find_rotating_in_redis(*client, "seen"),
                                        hash_call(hasher), {.batch_keys = 0});
                      }),
                      "batch_keys must be above 0"));
  // Nothing replaces an existing filter or value.
  redis(*client, "SET", "text", "abc");
  for (const char* name : {"seen", "plain", "text"}) {
    CHECK(redis_error_of([&] {
            create_rotating_in_redis(*client, name,
                                     rotating_with_xxh3({.window = hours(1), .capacity = 100}));
          }).failure() == RedisFailure::kChanged);
  }
  CHECK(redis_error_of([&] {
          static_cast<void>(find_rotating_in_redis(*client, "none"));
        }).failure() == RedisFailure::kMissing);
  CHECK(is_rotating_in_redis(*client, "seen"));
  CHECK_FALSE(is_rotating_in_redis(*client, "plain"));
  CHECK_FALSE(is_rotating_in_redis(*client, "none"));
}

TEST_CASE("rotating in Redis: drop removes all keys, and reopen finds the next filter",
          "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(7), .capacity = 100});
  for (int i = 0; i < 20; ++i) {
    CHECK_FALSE(here.insert("key-" + std::to_string(i)));
    here.clock.advance(hours(1));
  }
  CHECK(all_keys(*here.client).size() >= 8);
  for (const std::string& key : all_keys(*here.client)) CHECK(key.starts_with("{seen}:"));
  CHECK(drop_rotating_from_redis(*here.client, "seen"));
  CHECK(all_keys(*here.client).empty());
  CHECK_FALSE(drop_rotating_from_redis(*here.client, "seen"));
  CHECK(here.filter.lookup("key-19").error()->failure() == RedisFailure::kMissing);
  CHECK(here.filter.lookup_and_insert("key").error()->failure() == RedisFailure::kMissing);
  CHECK(all_keys(*here.client).empty());
  RotatingInRedis other =
      created_rotating(here.client, {.window = hours(1), .generations = 3, .capacity = 5});
  CHECK(here.filter.lookup("key").error()->failure() == RedisFailure::kChanged);
  CHECK(here.filter.lookup_and_insert("key").error()->failure() == RedisFailure::kChanged);
  here.filter.reopen();
  CHECK(here.filter.lookup_and_insert("key").is_absent());
  CHECK(other.lookup("key").presence() == Presence::kPresent);
}

}  // namespace
}  // namespace bloometry
