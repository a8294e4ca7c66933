#include "core/store/word_lanes.hpp"

#include <random>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Lanes with every combination of the smallest, middle and largest values, and random bits above
/// the lanes.
struct Lanes {
  Lanes(unsigned num_lanes, unsigned lane_bits, std::uint64_t combination, std::uint64_t above) {
    const std::uint64_t max = ~std::uint64_t{0} >> (64 - lane_bits);
    const std::uint64_t choices[] = {0, 1, max / 2, max / 2 + 1, max};
    if (num_lanes * lane_bits < 64) word = above << num_lanes * lane_bits;
    for (unsigned lane = 0; lane < num_lanes; ++lane) {
      values.push_back(choices[combination % 5] & max);
      combination /= 5;
      word |= values.back() << lane * lane_bits;
    }
  }

  std::uint64_t word = 0;
  std::vector<std::uint64_t> values;
};

/// Calls check(lanes, num_lanes, lane_bits) for all numbers and widths of lanes.
template <class Check>
void for_each_shape(Check check) {
  for (unsigned lane_bits = 1; lane_bits <= 64; ++lane_bits) {
    for (unsigned num_lanes = 1; num_lanes <= lane_bits && num_lanes * lane_bits <= 64;
         ++num_lanes) {
      CAPTURE(lane_bits, num_lanes);
      check(WordLanes(num_lanes, lane_bits), num_lanes, lane_bits);
    }
  }
}

}  // namespace

TEST_CASE("word_lanes: at_least compares every lane, whatever its neighbours", "[core][store]") {
  std::mt19937_64 random(3);
  for_each_shape([&](const WordLanes& lanes, unsigned num_lanes, unsigned lane_bits) {
    const std::uint64_t half = std::uint64_t{1} << (lane_bits - 1);
    for (int repetition = 0; repetition < 60; ++repetition) {
      const Lanes input(num_lanes, lane_bits, random(), random());
      for (const std::uint64_t limit : {std::uint64_t{1}, 1 + random() % half, half}) {
        std::uint64_t marks = 0;
        std::uint64_t mask = 0;
        std::uint64_t num = 0;
        for (unsigned lane = 0; lane < num_lanes; ++lane) {
          const bool holds = input.values[lane] >= limit;
          marks |= std::uint64_t{holds} << (lane * lane_bits + lane_bits - 1);
          mask |= std::uint64_t{holds} << lane;
          num += holds ? 1 : 0;
        }
        REQUIRE(lanes.at_least(limit, input.word) == marks);
        const bool any_below = (lanes.any_below(limit, input.word) & lanes.all()) != 0;
        REQUIRE(any_below == (marks != lanes.all()));
        REQUIRE(lanes.mask_of(marks) == mask);
        if (lane_bits > 6 || num_lanes < 1U << lane_bits) {
          REQUIRE(lanes.sum(lanes.ones(marks)) == num);
        }
      }
    }
  });
}

TEST_CASE("word_lanes: broadcast writes the value to every lane", "[core][store]") {
  for_each_shape([](const WordLanes& lanes, unsigned num_lanes, unsigned lane_bits) {
    const std::uint64_t value = 0x9e3779b97f4a7c15ULL & lanes.lane_mask();
    for (unsigned lane = 0; lane < num_lanes; ++lane) {
      REQUIRE((lanes.broadcast(value) >> lane * lane_bits & lanes.lane_mask()) == value);
    }
    CHECK(lanes.num() == num_lanes);
    CHECK(lanes.num_bits() == num_lanes * lane_bits);
    CHECK(lanes.all() == lanes.broadcast(std::uint64_t{1} << (lane_bits - 1)));
  });
}

}  // namespace bloometry
