#include "core/hash/range_reduction.hpp"

#include <limits>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kMaxWord = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("multiply_high: returns the high word of the product", "[core][hash]") {
  CHECK(multiply_high(0, kMaxWord) == 0);
  CHECK(multiply_high(kMaxWord, kMaxWord) == kMaxWord - 1);
  CHECK(multiply_high(std::uint64_t{1} << 63U, 3) == 1);
}

TEST_CASE("fastrange: maps the ends of the words onto the ends of the range", "[core][hash]") {
  for (const std::uint64_t range :
       {std::uint64_t{1}, std::uint64_t{7}, (std::uint64_t{1} << 32U) + 1, kMaxWord}) {
    CAPTURE(range);
    CHECK(fastrange(0, range) == 0);
    CHECK(fastrange(kMaxWord, range) == range - 1);
  }
}

TEST_CASE("fastrange: uses the high bits of the word", "[core][hash]") {
  CHECK(fastrange(std::uint64_t{1} << 63U, 10) == 5);
  CHECK(fastrange(0xffffffffULL, 1000) == 0);
}

}  // namespace bloometry
