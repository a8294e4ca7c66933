#include "variants/redis/rotating_in_redis.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "core/error.hpp"
#include "core/redis/connect_redis.hpp"
#include "core/redis/redis_server.hpp"
#include "core/statistics/binomial_test.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/rotating_on_shifted_clock.hpp"
#include "tests/support/catch.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::hours;
using std::chrono::milliseconds;

TEST_CASE("rotating in Redis: an insert states whether the key was present", "[redis][rotating]") {
  RedisProcess process;
  const auto client = connect_redis(process.url());
  const std::string variant = GENERATE(as<std::string>(), "standard", "partitioned", "blocked");
  RotatingInRedis seen = created_rotating(client, {.window = hours(1),
                                                   .capacity = 50'000,
                                                   .target_false_positive_rate = 1e-9,
                                                   .variant = variant});
  const auto keys = numbered_keys(0, 2500);
  CHECK(seen.query(views_of(keys)) == Answers(2500, Presence::kAbsent));
  CHECK(seen.query_and_insert(views_of(keys)) == Answers(2500, Presence::kAbsent));
  CHECK(seen.query(views_of(keys)) == Answers(2500, Presence::kPresent));
  CHECK(seen.query_and_insert(views_of(keys)) == Answers(2500, Presence::kPresent));
  CHECK(seen.query(views_of(numbered_keys(2500, 5000))) == Answers(2500, Presence::kAbsent));
  CHECK(seen.query({}).empty());
  CHECK(seen.query_and_insert({}).empty());

  // The second of two equal keys is present.
  const std::vector<KeyView> twice = {KeyView("a"), KeyView("b"), KeyView("a")};
  CHECK(seen.query_and_insert(twice) ==
        Answers{Presence::kAbsent, Presence::kAbsent, Presence::kPresent});
  CHECK(text_at(*client, "updates") == "5003");
}

TEST_CASE("rotating in Redis: the strings contain the bits of a local filter",
          "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(2), .generations = 3, .capacity = 2000});
  const RedisParameters& generation = here.filter.location().parameters.generation;
  std::map<std::uint64_t, Keyed<StandardFilter>> expected;
  for (int round = 0; round < 5; ++round) {
    here.go_to_next_generation(milliseconds(1000));
    const auto number = static_cast<std::uint64_t>(here.clock.now_ms() / here.generation_ms());
    const auto keys = numbered_keys(700 * round, 700 * round + 1000);
    static_cast<void>(here.filter.query_and_insert(views_of(keys)));
    Keyed<StandardFilter> filter(
        {.num_bits = generation.num_bits, .num_hashes = generation.num_hashes}, 0);
    filter.insert(views_of(keys));
    expected.emplace(number, std::move(filter));
  }
  std::size_t num_live = 0;
  for (const LiveGeneration& live : here.filter.live_generations()) {
    ++num_live;
    const std::uint64_t number = live.generation.number;
    REQUIRE(expected.contains(number));
    CHECK(live.generation.num_inserts == 1000);
    const std::string key = generation_key("seen", number % 3);
    const RedisReply reply = here.client->command(key, RedisCommands().add("GET", key));
    const std::string_view bytes = reply.view().text();
    const auto words = expected.at(number).filter().bits().words();
    REQUIRE(bytes.size() == (generation.num_bits + 7) / 8);
    std::uint64_t num_ones = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      CHECK(byte == ((words[i / 8] >> (8 * (i % 8))) & 255U));
      num_ones += static_cast<std::uint64_t>(std::popcount(byte));
    }
    CHECK(live.num_ones == num_ones);
  }
  CHECK(num_live == 3);
}

/// Returns the exact rate of queries by independent probes, given the bits: the probability that
/// all k probes of some generation are set. By inclusion and exclusion, with the fill rho(A) of the
/// AND of the generations in A: f = sum over the sets A that are not empty of (-1)^(|A| + 1)
/// rho(A)^k.
double rate_given_bits(const std::vector<std::string>& strings, std::uint64_t num_bits,
                       unsigned num_hashes) {
  double rate = 0;
  for (unsigned set = 1; set < 1U << strings.size(); ++set) {
    std::uint64_t num_ones = 0;
    for (std::size_t i = 0; i < strings.front().size(); ++i) {
      unsigned byte = 255;
      for (std::size_t s = 0; s < strings.size(); ++s) {
        if ((set >> s & 1U) != 0) byte &= static_cast<unsigned char>(strings[s][i]);
      }
      num_ones += static_cast<std::uint64_t>(std::popcount(byte));
    }
    const double fill = static_cast<double>(num_ones) / static_cast<double>(num_bits);
    rate += (std::popcount(set) % 2 == 1 ? 1 : -1) * std::pow(fill, num_hashes);
  }
  return rate;
}

TEST_CASE("rotating in Redis: the rate is exact given the bits, and at most the target",
          "[redis][rotating]") {
  const bool repeats_keys = GENERATE(false, true);
  CAPTURE(repeats_keys);
  constexpr double kRate = 0.1;
  RotatingOnShiftedClock here({.window = hours(3),
                               .generations = 4,
                               .capacity = 6000,
                               .target_false_positive_rate = kRate});
  const RotatingParameters& parameters = here.filter.location().parameters;
  for (int round = 0; round < 4; ++round) {
    here.go_to_next_generation();
    const int first = repeats_keys ? 0 : 2000 * round;
    static_cast<void>(here.filter.query_and_insert(views_of(numbered_keys(first, first + 2000))));
  }
  std::vector<std::string> strings;
  for (std::uint64_t slot = 0; slot < 4; ++slot) {
    const std::string key = generation_key("seen", slot);
    const RedisReply reply = here.client->command(key, RedisCommands().add("GET", key));
    strings.emplace_back(reply.view().text());
  }
  const double rate =
      rate_given_bits(strings, parameters.generation.num_bits, parameters.generation.num_hashes);
  // The fills of full generations vary little. Equal keys in all generations have equal bits, so
  // that the rate is that of one generation.
  const double of_one = *parameters.generation.notes.target_false_positive_rate;
  CHECK(rate < 1.1 * (repeats_keys ? of_one : kRate));
  constexpr int kQueries = 50'000;
  const auto num_present =
      kQueries -
      num_absent(here.filter.query(views_of(numbered_keys(100'000, 100'000 + kQueries))));
  // A false alarm in 1e-9 of all implementations.
  CHECK(statistics::binomial_two_sided_p_value(num_present, kQueries, rate) > 1e-9);
}

TEST_CASE("rotating in Redis: extreme shapes", "[redis][rotating]") {
  RedisProcess process;
  const auto client = connect_redis(process.url());
  SECTION("one key, the smallest window, the smallest rate") {
    RotatingInRedis seen = created_rotating(client, {.window = milliseconds(1),
                                                     .generations = 2,
                                                     .capacity = 1,
                                                     .target_false_positive_rate = 1e-30});
    CHECK_FALSE(seen.lookup("key").error());
    CHECK_FALSE(seen.lookup_and_insert("key").error());
    for (int i = 0; i < 300; ++i) {
      CHECK(seen.lookup_and_insert("key-" + std::to_string(i)).is_absent());
      CHECK(seen.lookup("absent").is_absent());
    }
    std::this_thread::sleep_for(milliseconds(3));
    CHECK(seen.lookup("key-299").is_absent());
  }
  SECTION("the longest window, all generations, the largest rate") {
    RotatingInRedis seen = created_rotating(client, {.window = kMaxWindow,
                                                     .generations = 64,
                                                     .capacity = 1,
                                                     .target_false_positive_rate = 0.999});
    CHECK_FALSE(seen.lookup_and_insert("key").error());
    CHECK(seen.lookup("key").presence() == Presence::kPresent);
    const std::string key =
        generation_key("seen", seen.live_generations().front().generation.number % 64);
    const RedisReply ttl = client->command(key, RedisCommands().add("PTTL", key));
    CHECK(ttl.view().integer() > kMaxWindow.count());
  }
}

TEST_CASE("rotating in Redis: strings of 2^32 bits", "[redis][rotating][.long]") {
  RedisProcess process;
  const auto client =
      std::make_shared<RedisServer>(process.url(), RedisTimeouts{.command = milliseconds(60'000)});
  // The largest capacity whose generations have at most 2^32 bits.
  std::uint64_t capacity = 1;
  for (std::uint64_t step = std::uint64_t{1} << 40U; step > 0; step /= 2) {
    try {
      static_cast<void>(
          rotating_with_xxh3({.window = hours(1), .generations = 2, .capacity = capacity + step}));
      capacity += step;
    } catch (const ConfigError&) {
    }
  }
  RotatingInRedis seen =
      created_rotating(client, {.window = hours(1), .generations = 2, .capacity = capacity});
  CHECK(seen.location().parameters.generation.num_bits > (std::uint64_t{1} << 32U) - 64);
  const auto keys = numbered_keys(0, 10'000);
  CHECK(num_absent(seen.query_and_insert(views_of(keys))) == 10'000);
  CHECK(num_absent(seen.query(views_of(keys))) == 0);
  CHECK(seen.live_generations().front().num_ones > 60'000);
}

}  // namespace
}  // namespace bloometry
