#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/redis/connect_redis.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/redis/rotating_trial.hpp"
#include "tests/redis/shifted_clock.hpp"
#include "variants/redis/rotating_in_redis.hpp"

namespace bloometry::test {

using Answers = std::vector<Presence>;

[[nodiscard]] inline std::size_t num_absent(const Answers& answers) {
  return static_cast<std::size_t>(std::count(answers.begin(), answers.end(), Presence::kAbsent));
}

/// Returns a field of the parameters of the filter "seen".
[[nodiscard]] inline std::string text_at(RedisClient& client, const std::string& field) {
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
  void go_to_next_generation(std::chrono::milliseconds after = std::chrono::milliseconds(0)) {
    const std::int64_t number = clock.now_ms() / generation_ms() + 1;
    clock.set_ms(number * generation_ms() + after.count());
  }

  ShiftedClock clock;
  RedisProcess process{{}, clock.launcher()};
  std::shared_ptr<RedisClient> client = connect_redis(process.url());
  RotatingInRedis filter;
};

}  // namespace bloometry::test
