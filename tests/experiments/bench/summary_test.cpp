#include "experiments/bench/summary.hpp"

#include <vector>

#include "experiments/bench/stopwatch.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::bench;

TEST_CASE("bench summary: has the median and the range of the repetitions", "[bench]") {
  const Spread odd = spread_of(std::vector<double>{5, 1, 9});
  CHECK(odd.median == 5);
  CHECK(odd.min == 1);
  CHECK(odd.max == 9);
  CHECK(spread_of(std::vector<double>{8, 1, 2, 4}).median == 3);
  CHECK(spread_of(std::vector<double>{7}).median == 7);
}

TEST_CASE("bench summary: the ratio to the floor is computed per repetition", "[bench]") {
  // If the machine runs at half speed in some repetitions, the times of filter and floor double.
  const Spread ratio =
      spread_of_ratios(std::vector<double>{10, 20, 40}, std::vector<double>{5, 10, 10});
  CHECK(ratio.median == 2);
  CHECK(ratio.min == 2);
  CHECK(ratio.max == 4);
}

TEST_CASE("bench tally: preempted laps are left out unless there are no others", "[bench]") {
  Tally tally;
  tally.add({.ns = 9000, .was_preempted = true}, 10);
  CHECK(tally.ns_per_key() == 900);
  tally.add({.ns = 100, .was_preempted = false}, 10);
  tally.add({.ns = 500, .was_preempted = false}, 20);
  CHECK(tally.ns_per_key() == 20);
  CHECK(tally.num_laps() == 3);
  CHECK(tally.num_preempted_laps() == 1);
  SECTION("also when tallies are added") {
    Tally sum;
    sum.add({.ns = 100, .was_preempted = false}, 30);
    sum.add(tally);
    CHECK(sum.ns_per_key() == Approx(700.0 / 60));
    CHECK(sum.num_laps() == 4);
  }
}
