#include "experiments/trial/step_path.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Returns the nibbles of the path, decoded step by step.
std::uint64_t decode_slowly(std::uint32_t path) {
  std::uint64_t steps = ~std::uint64_t{0};
  unsigned num_set = 0;
  unsigned num_passed = 0;
  for (; path != 0; path >>= 1U) {
    if ((path & 1U) == 0) {
      ++num_passed;
      continue;
    }
    steps &= ~(std::uint64_t{15} << (4 * num_set));
    steps |= std::uint64_t{num_passed} << (4 * num_set);
    ++num_set;
  }
  return steps;
}

unsigned ones_of(std::uint32_t path) {
  return static_cast<unsigned>(std::popcount(path));
}

}  // namespace

TEST_CASE("step_path: the decoder agrees with a bitwise walk for every path of up to 23 bits",
          "[experiments][trial]") {
  for (std::uint32_t path = 0; path < (1U << 23U); ++path) {
    if (ones_of(path) > 16 || std::bit_width(path) - std::popcount(path) > 14) continue;
    if (step_path::kDecoder(path, ones_of(path)) != decode_slowly(path)) {
      REQUIRE(step_path::kDecoder(path, ones_of(path)) == decode_slowly(path));
    }
  }
}

TEST_CASE("step_path: the decoder agrees with a bitwise walk for long paths",
          "[experiments][trial]") {
  // Tests every value of the highest chunk with a sample of the lower bits, for up to 16 filters
  // and 15 steps.
  for (std::uint32_t high = 1; high < 256; ++high) {
    for (std::uint32_t low = 0; low < (1U << 22U); low += 1021) {
      const std::uint32_t path = high << 22U | low;
      if (ones_of(path) > 16 || std::bit_width(path) - std::popcount(path) > 14) continue;
      if (step_path::kDecoder(path, ones_of(path)) != decode_slowly(path)) {
        REQUIRE(step_path::kDecoder(path, ones_of(path)) == decode_slowly(path));
      }
    }
  }
}

TEST_CASE("step_path: filters keep the step at which they were set", "[experiments][trial]") {
  // Tests every sequence of four steps. In each step, the filters below some number are set.
  for (unsigned code = 0; code < 17 * 17 * 17 * 17; ++code) {
    std::array<unsigned, 16> expected{};
    expected.fill(15);
    std::uint32_t path = 0;
    unsigned rest = code;
    for (unsigned step = 0; step < 4; ++step, rest /= 17) {
      const unsigned num_filters = rest % 17;
      path |= step_path::new_bits(ones_of(path), num_filters, 4 * step);
      for (unsigned filter = 0; filter < num_filters; ++filter) {
        if (expected[filter] == 15) expected[filter] = 4 * step;
      }
    }
    const std::uint64_t steps = step_path::kDecoder(path, ones_of(path));
    for (unsigned filter = 0; filter < 16; ++filter) {
      if (((steps >> (4 * filter)) & 15U) != expected[filter]) {
        REQUIRE(((steps >> (4 * filter)) & 15U) == expected[filter]);
      }
    }
  }
}

}  // namespace bloometry
