#include "variants/redis/rotating_in_redis.hpp"

#include <algorithm>
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
#include "tests/redis/filter_under_fault.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/rotating_trial.hpp"
#include "tests/redis/shifted_clock.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/redis/keyed_in_redis.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::hours;
using std::chrono::milliseconds;

using Answers = std::vector<Presence>;

std::size_t num_absent(const Answers& answers) {
  return static_cast<std::size_t>(std::count(answers.begin(), answers.end(), Presence::kAbsent));
}

std::string text_at(RedisClient& client, const std::string& field) {
  return read_fields(client, "{seen}:parameters").at(field);
}

/// A server whose clock the test sets, and an open filter.
struct RotatingOnShiftedClock {
  explicit RotatingOnShiftedClock(const RotatingRequest& request)
      : filter(created_rotating(client, request)) {}

  [[nodiscard]] bool insert(const std::string& key) {
    return filter.lookup_and_insert(key).presence() == Presence::kPresent;
  }

  [[nodiscard]] bool contains(const std::string& key) {
    return filter.lookup(key).presence() == Presence::kPresent;
  }

  [[nodiscard]] std::int64_t generation_ms() const {
    return filter.location().parameters.generation_time().count();
  }

  /// Sets the clock to a time after the beginning of the next generation.
  void go_to_next_generation(milliseconds after = milliseconds(0)) {
    const std::int64_t number = clock.now_ms() / generation_ms() + 1;
    clock.set_ms(number * generation_ms() + after.count());
  }

  ShiftedClock clock;
  RedisProcess process{{}, clock.launcher()};
  std::shared_ptr<RedisClient> client = connect_redis(process.url());
  RotatingInRedis filter;
};

TEST_CASE("rotating in Redis: the server has the shifted clock", "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(24), .capacity = 100});
  for (const milliseconds shift :
       {milliseconds(0), milliseconds(hours(5)), -milliseconds(hours(9))}) {
    here.clock.advance(shift);
    const RedisReply reply = here.client->command("", RedisCommands().add("TIME"));
    const std::int64_t time_s = std::stoll(std::string(reply.view()[0].text()));
    CHECK(std::abs(time_s - here.clock.now_ms() / 1000) <= 2);
  }
}

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

TEST_CASE("rotating in Redis: a key is found for the window, and forgotten after B generations",
          "[redis][rotating]") {
  const std::uint64_t generations = GENERATE(2, 3, 8, 64);
  CAPTURE(generations);
  RotatingOnShiftedClock here({.window = hours(24),
                               .generations = generations,
                               .capacity = 1000,
                               .target_false_positive_rate = 1e-9});
  const std::int64_t length = here.generation_ms();
  const auto window = std::int64_t{24} * 3'600'000;
  // The clock continues to run, so a time before an event has a margin.
  constexpr std::int64_t kMargin = 60'000;
  for (const std::int64_t phase : {std::int64_t{0}, length / 2, length - kMargin}) {
    CAPTURE(phase);
    here.go_to_next_generation(milliseconds(phase));
    const std::int64_t inserted = here.clock.now_ms();
    const std::int64_t begin = inserted / length * length;
    const std::string key = "key-" + std::to_string(inserted);
    CHECK_FALSE(here.insert(key));
    for (const std::int64_t time :
         {inserted + length, inserted + window / 2, inserted + window - kMargin,
          begin + static_cast<std::int64_t>(generations) * length - kMargin}) {
      if (time < here.clock.now_ms()) continue;
      here.clock.set_ms(time);
      CHECK(here.contains(key));
      static_cast<void>(here.insert("other"));  // creates the generations that follow
    }
    here.clock.set_ms(begin + static_cast<std::int64_t>(generations) * length);
    CHECK_FALSE(here.contains(key));
    CHECK_FALSE(here.insert(key));
  }
}

TEST_CASE("rotating in Redis: an insert of a present key begins another window",
          "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(7), .capacity = 1000});
  CHECK_FALSE(here.insert("key"));
  for (int i = 0; i < 20; ++i) {
    here.clock.advance(hours(6));
    CHECK(here.insert("key"));
  }
  here.clock.advance(hours(9));
  CHECK_FALSE(here.contains("key"));
}

TEST_CASE("rotating in Redis: a generation without inserts is not an error", "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(7), .capacity = 1000});
  CHECK_FALSE(here.contains("key"));
  CHECK_FALSE(here.insert("key"));
  here.clock.advance(hours(4));
  CHECK(here.contains("key"));
  CHECK_FALSE(here.insert("later"));
  CHECK(here.filter.live_generations().size() == 2);
  here.clock.advance(hours(4));
  CHECK_FALSE(here.contains("key"));
  CHECK(here.contains("later"));
  // All generations expire, and only the parameters remain.
  here.clock.advance(hours(1000));
  CHECK_FALSE(here.contains("later"));
  CHECK(here.filter.live_generations().empty());
  CHECK_FALSE(here.insert("later"));
  CHECK(text_at(*here.client, "created").find(' ') == std::string::npos);
  CHECK(all_keys(*here.client).size() == 3);  // parameters, one generation, one hash of replies
}

TEST_CASE("rotating in Redis: a clock that is set back loses no key", "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(7), .capacity = 10'000});
  std::vector<std::string> keys;
  for (int i = 0; i < 7; ++i) {
    keys.push_back("before-" + std::to_string(i));
    CHECK_FALSE(here.insert(keys.back()));
    if (i < 6) here.clock.advance(hours(1));
  }
  const std::string created = text_at(*here.client, "created");
  for (const int num_hours : {1, 5}) {
    here.clock.advance(-hours(num_hours));
    for (const std::string& key : keys) CHECK(here.contains(key));
    keys.push_back("after-" + std::to_string(num_hours));
    CHECK_FALSE(here.insert(keys.back()));
    for (const std::string& key : keys) CHECK(here.contains(key));
    // The newest generation does not change.
    CHECK(text_at(*here.client, "created").substr(0, created.rfind(':')) ==
          created.substr(0, created.rfind(':')));
  }
  // The keys are found for longer than the window, by the time that the clock was set back.
  here.clock.advance(hours(6));
  for (const std::string& key : keys) CHECK(here.contains(key));
  here.clock.advance(hours(9));
  for (const std::string& key : keys) CHECK_FALSE(here.contains(key));
}

TEST_CASE("rotating in Redis: a clock set forward forgets, and set back again loses no later key",
          "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(7), .capacity = 10'000});
  CHECK_FALSE(here.insert("before"));
  here.clock.advance(hours(100));
  CHECK_FALSE(here.contains("before"));
  CHECK_FALSE(here.insert("ahead"));
  here.clock.advance(-hours(100));
  CHECK(here.contains("ahead"));
  CHECK_FALSE(here.contains("before"));
  CHECK_FALSE(here.insert("after"));
  here.clock.advance(hours(6));
  CHECK(here.contains("after"));
  CHECK(here.contains("ahead"));
  here.clock.advance(hours(100 + 2));
  CHECK_FALSE(here.contains("after"));
}

TEST_CASE("rotating in Redis: strings that expired while the clock was ahead are missing",
          "[redis][rotating]") {
  RotatingOnShiftedClock here({.window = hours(7), .capacity = 10'000});
  CHECK_FALSE(here.insert("before"));
  const std::string key = all_keys(*here.client)[0];
  CHECK(key.starts_with("{seen}:generation:"));
  here.clock.advance(hours(100));
  redis(*here.client, "EXISTS", key);  // deletes the expired string
  here.clock.advance(-hours(100));
  const auto failure = [](const RedisAnswer& answer) {
    REQUIRE(answer.error() != nullptr);
    return answer.error()->failure();
  };
  CHECK(failure(here.filter.lookup("before")) == RedisFailure::kMissing);
  CHECK(failure(here.filter.lookup_and_insert("before")) == RedisFailure::kMissing);
  here.clock.advance(hours(9));
  CHECK_FALSE(here.insert("before"));
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

/// Lets several services insert the same keys at once, and counts the keys that not exactly one
/// service has found absent.
std::size_t num_not_new_once(const RedisUrl& url, const std::vector<KeyView>& keys,
                             std::size_t num_services) {
  std::vector<Answers> answers(num_services);
  std::vector<std::thread> services;
  for (std::size_t s = 0; s < num_services; ++s) {
    services.emplace_back([&, s] {
      const Xxh3Hasher hasher(0);
      const auto client = connect_redis(url);
      RotatingInRedis seen(client, find_rotating_in_redis(*client, "seen"), hash_call(hasher),
                           {.batch_keys = 1 + 50 * s});
      answers[s] = seen.query_and_insert(keys);
    });
  }
  for (std::thread& service : services) service.join();
  std::size_t num_wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto num_new = std::count_if(answers.begin(), answers.end(), [&](const Answers& given) {
      return given[i] == Presence::kAbsent;
    });
    if (num_new != 1) ++num_wrong;
  }
  return num_wrong;
}

void check_new_once(int num_keys) {
  RedisProcess process;
  const auto client = connect_redis(process.url());
  // The inserts are divided among several generations.
  RotatingInRedis seen = created_rotating(client, {.window = milliseconds(30 * num_keys),
                                                   .generations = 64,
                                                   .capacity = 10'000'000,
                                                   .target_false_positive_rate = 1e-12});
  const auto keys = numbered_keys(0, num_keys);
  CHECK(num_not_new_once(process.url(), views_of(keys), 3) == 0);
  CHECK(num_absent(seen.query(views_of(keys))) == 0);
  CHECK(text_at(*client, "updates") == std::to_string(3 * num_keys));
}

TEST_CASE("rotating in Redis: exactly one of several services finds an equal key absent",
          "[redis][rotating]") {
  check_new_once(3000);
}

TEST_CASE("rotating in Redis: 100000 equal requests to three services are new once",
          "[redis][rotating][.long]") {
  check_new_once(100'000);
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
