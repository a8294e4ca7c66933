#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "core/redis/connect_redis.hpp"
#include "tests/redis/numbered_keys.hpp"
#include "tests/redis/rotating_on_shifted_clock.hpp"
#include "tests/support/catch.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry {
namespace {

using namespace test;
using std::chrono::milliseconds;

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

}  // namespace
}  // namespace bloometry
