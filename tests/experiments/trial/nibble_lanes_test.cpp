#include "experiments/trial/nibble_lanes.hpp"

#include <algorithm>
#include <cstdint>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::uint64_t lane(std::uint64_t x, unsigned i) {
  return (x >> (4 * i)) & 15U;
}

/// Returns a word with x in lane i and `around` in all other lanes. A borrow or carry from lane i
/// would change an adjacent lane.
std::uint64_t placed(std::uint64_t x, unsigned i, std::uint64_t around) {
  const std::uint64_t rest = around * 0x1111111111111111ULL;
  return (rest & ~(std::uint64_t{15} << (4 * i))) | x << (4 * i);
}

}  // namespace

TEST_CASE("nibbles: max is exact in every lane for every pair and any neighbours",
          "[experiments][trial]") {
  for (std::uint64_t x = 0; x < 16; ++x) {
    for (std::uint64_t y = 0; y < 16; ++y) {
      for (unsigned i = 0; i < 16; ++i) {
        for (const std::uint64_t a : {0U, 7U, 8U, 15U}) {
          for (const std::uint64_t b : {0U, 7U, 8U, 15U}) {
            const std::uint64_t greater = nibbles::max(placed(x, i, a), placed(y, i, b));
            REQUIRE(greater == placed(std::max(x, y), i, std::max(a, b)));
          }
        }
      }
    }
  }
}

TEST_CASE("nibbles: max is exact for every pair of neighbouring pairs", "[experiments][trial]") {
  // Tests all 2^16 combinations of two lanes of x and two lanes of y. Lanes must not affect each
  // other.
  for (std::uint64_t word = 0; word < 0x10000; ++word) {
    const std::uint64_t x = word & 0xffU;
    const std::uint64_t y = word >> 8U;
    const std::uint64_t greater = nibbles::max(x << 28U, y << 28U) >> 28U;
    REQUIRE(lane(greater, 0) == std::max(lane(x, 0), lane(y, 0)));
    REQUIRE(lane(greater, 1) == std::max(lane(x, 1), lane(y, 1)));
    REQUIRE(greater < 0x100);
  }
}

TEST_CASE("nibbles: at_least is 15 or 0 in every lane", "[experiments][trial]") {
  for (std::uint64_t x = 0; x < 16; ++x) {
    for (std::uint64_t y = 0; y < 16; ++y) {
      const std::uint64_t ones = 0x1111111111111111ULL;
      REQUIRE(nibbles::at_least(x * ones, y * ones) == (x >= y ? ~std::uint64_t{0} : 0));
    }
  }
}

}  // namespace bloometry
