#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/rotating_on_shifted_clock.hpp"
#include "tests/support/catch.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::hours;
using std::chrono::milliseconds;

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

}  // namespace
}  // namespace bloometry
