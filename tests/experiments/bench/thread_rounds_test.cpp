#include "experiments/bench/thread_rounds.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry::bench;

TEST_CASE("bench rounds: every thread works in every round, after all threads have prepared",
          "[bench][threads]") {
  constexpr unsigned kNumThreads = 3;
  constexpr std::uint64_t kNumRounds = 200;
  std::atomic<std::uint64_t> num_prepared = 0;
  std::array<std::uint64_t, kNumThreads> num_worked{};
  std::uint64_t num_rounds = 0;
  std::atomic<bool> began_early = false;
  std::uint64_t num_told = 0;
  run_rounds(kNumThreads, {.num_rounds = kNumRounds,
                           .prepare = [&](unsigned, std::uint64_t) { ++num_prepared; },
                           .work =
                               [&](unsigned thread) {
                                 if (num_prepared < kNumThreads * (num_worked[thread] + 1))
                                   began_early = true;
                                 ++num_worked[thread];
                               },
                           .after =
                               [&](const Lap& lap) {
                                 ++num_rounds;
                                 num_told += lap.ns > 0 ? 1 : 0;
                                 return true;
                               }});
  CHECK(num_rounds == kNumRounds);
  CHECK(num_told == kNumRounds);
  CHECK_FALSE(began_early);
  for (const std::uint64_t num : num_worked) CHECK(num == kNumRounds);
}

TEST_CASE("bench rounds: a round takes as long as its slowest thread", "[bench][threads]") {
  using namespace std::chrono_literals;
  double ns = 0;
  run_rounds(2, {.num_rounds = 1,
                 .prepare = [](unsigned, std::uint64_t) {},
                 .work =
                     [](unsigned thread) {
                       if (thread == 1) std::this_thread::sleep_for(20ms);
                     },
                 .after =
                     [&](const Lap& lap) {
                       ns = lap.ns;
                       return true;
                     }});
  CHECK(ns >= 20e6);
}

TEST_CASE("bench rounds: a round whose callback returns false is the last", "[bench][threads]") {
  std::atomic<std::uint64_t> num_worked = 0;
  run_rounds(2, {.num_rounds = 100,
                 .prepare = [](unsigned, std::uint64_t) {},
                 .work = [&](unsigned) { ++num_worked; },
                 .after = [&](const Lap&) { return num_worked < 6; }});
  CHECK(num_worked == 6);
}
