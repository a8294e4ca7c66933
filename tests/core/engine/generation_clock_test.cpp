#include "core/engine/generation_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "core/file/generation_check.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

void insert(GenerationClock& clock) {
  if (clock.is_full()) clock.rotate();
  clock.count_inserts(1);
}

void tick(GenerationClock& clock) {
  clock.rotate();
  clock.count_tick();
}

}  // namespace

TEST_CASE("generation clock: a generation closes before insert g + 1 and not after insert g",
          "[forget]") {
  GenerationClock clock(3, 2, true);
  CHECK_FALSE(clock.is_full());
  insert(clock);
  CHECK(clock.num_until_full() == 1);
  insert(clock);
  CHECK(clock.is_full());
  CHECK(clock.counts() == GenerationCounts{{2, 0, 0}, 0, 0, 0});
  insert(clock);
  CHECK(clock.counts() == GenerationCounts{{1, 2, 0}, 1, 0, 0});
  CHECK(clock.newest_slot() == 1);
}

TEST_CASE("generation clock: counts follow a list of generations through inserts and ticks",
          "[forget]") {
  for (const std::size_t num_generations : {1U, 2U, 3U, 7U}) {
    for (const std::uint64_t capacity : {1U, 2U, 5U}) {
      GenerationClock clock(num_generations, capacity, true);
      std::deque<std::uint64_t> expected(num_generations, 0);  // newest first
      std::uint64_t num_rotations = 0;
      const auto rotate = [&] {
        expected.pop_back();
        expected.push_front(0);
        ++num_rotations;
      };
      for (int i = 0; i < 100; ++i) {
        if (i % 7 == 3) {
          tick(clock);
          rotate();
        }
        insert(clock);
        if (expected.front() == capacity) rotate();
        ++expected.front();
        for (std::size_t age = 0; age < num_generations; ++age) {
          REQUIRE(clock.num_inserted(age) == expected[age]);
          REQUIRE(clock.slot_of_age(age) ==
                  (num_rotations + 7 * num_generations - age) % num_generations);
        }
        const GenerationCounts counts = clock.counts();
        REQUIRE(counts.num_rotations == num_rotations);
        REQUIRE(impossible_counts(counts, clock).empty());
        GenerationClock copy(num_generations, capacity, true);
        copy.set_counts(counts);
        REQUIRE(copy == clock);
      }
      CHECK(clock.num_ticks() == 14);
    }
  }
}

TEST_CASE("generation clock: generations that only ticks close may be overfull, and are counted",
          "[forget]") {
  GenerationClock clock(2, 3, false);
  for (int i = 0; i < 3; ++i) insert(clock);
  CHECK(clock.num_overfull() == 0);
  insert(clock);
  CHECK(clock.num_overfull() == 1);
  insert(clock);
  CHECK(clock.num_overfull() == 1);
  tick(clock);
  CHECK(clock.counts() == GenerationCounts{{0, 5}, 1, 1, 1});
  for (int i = 0; i < 4; ++i) insert(clock);
  CHECK(clock.num_overfull() == 2);
  GenerationClock copy(2, 3, false);
  copy.set_counts(clock.counts());
  CHECK(copy == clock);
  tick(copy);
  CHECK(copy.num_overfull() == 2);
  copy.clear();
  CHECK(copy == GenerationClock(2, 3, false));
}

TEST_CASE("generation clock: counts that a clock cannot have are refused", "[forget]") {
  const GenerationClock clock(3, 10, true);
  CHECK(impossible_counts({{3, 10, 0}, 1, 1, 0}, clock).empty());
  CHECK(impossible_counts({{3, 10}, 1, 1, 0}, clock) ==
        "field 'generations' must have 3 numbers, got 2");
  CHECK(impossible_counts({{3, 11, 0}, 1, 1, 0}, clock) ==
        "field 'generations' must be at most 10 in generation 1, got 11");
  CHECK(impossible_counts({{3, 10, 1}, 1, 1, 0}, clock) ==
        "field 'generations' must be at most 0 in generation 2, got 1");
  CHECK(impossible_counts({{3, 10, 0}, 1, 2, 0}, clock) ==
        "field 'num_ticks' must be at most 1, the number of rotations, got 2");
  CHECK(impossible_counts({{3, 10, 0}, 1, 1, 1}, clock) ==
        "field 'num_overfull_generations' must be in [0, 0], got 1");
  CHECK(impossible_counts({{3, 10, 0}, std::uint64_t{1} << 63U, 1, 0}, clock) ==
        "field 'num_rotations' must be at most 9223372036854775807, got 9223372036854775808");
  const GenerationClock by_ticks(3, 10, false);
  CHECK(impossible_counts({{3, 11, 0}, 1, 1, 2}, by_ticks).empty());
  CHECK(impossible_counts({{3, 11, 0}, 1, 0, 2}, by_ticks) ==
        "field 'num_ticks' must be 1, the number of rotations, got 0");
  CHECK(impossible_counts({{3, 11, 0}, 1, 1, 0}, by_ticks) ==
        "field 'num_overfull_generations' must be in [1, 2], got 0");
  CHECK(impossible_counts({{3, 11, 0}, 1, 1, 3}, by_ticks) ==
        "field 'num_overfull_generations' must be in [1, 2], got 3");
}
