#include "core/rates/search.hpp"

#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The result of fewest_blocks for the rate 1/b, and the number of rates that the search computed.
struct Search {
  double num_blocks;
  unsigned num_rates;
};

Search search(double guess, double p) {
  unsigned num_rates = 0;
  const double num_blocks = fewest_blocks(guess, p, [&](double b) {
    ++num_rates;
    return 1 / b;
  });
  return {num_blocks, num_rates};
}

}  // namespace

TEST_CASE("most_that_holds: finds the largest value from any guess", "[core][rates]") {
  const std::uint64_t guess = GENERATE(0U, 1U, 7U, 8U, 1000U);
  for (std::uint64_t most = 0; most < 20; ++most) {
    CAPTURE(guess, most);
    const auto found =
        most_that_holds(guess, 20, [&](std::uint64_t x) { return x == 0 || x <= most; });
    CHECK(found == most);
  }
  CHECK_FALSE(most_that_holds(guess, 20, [](std::uint64_t) { return true; }).has_value());
}

TEST_CASE("fewest blocks: finds the least number that keeps p, from any guess", "[core][block]") {
  const double guess = GENERATE(-kInfinity, 0.0, 1.0, 10.0, 999.0, 1001.0, 1e6, 0x1p50);
  CHECK(search(guess, 1 / 1000.5).num_blocks == 1001);
  CHECK(search(guess, 0.9999).num_blocks == 2);
  CHECK(search(guess, 1.5).num_blocks == 1);
}

TEST_CASE("fewest blocks: computes about 150 rates at most, for up to 2^50 blocks",
          "[core][block]") {
  const double guess = GENERATE(1.0, 3e7, 0x1p50, 0x1.8p50, 0x1p53, 0x1p54, 1e300, kInfinity);
  for (const double p : {5e-324, 1e-310, 1e-308, 1e-15, 1e-3, 1 - 0x1p-53}) {
    const auto [num_blocks, num_rates] = search(guess, p);
    INFO("guess " << guess << ", p " << p);
    CHECK(num_rates <= 160);
    CHECK((num_blocks <= 0x1p50 || num_blocks == kInfinity));
    if (guess > 0x1p50 || p < 1e-20) CHECK(num_blocks == kInfinity);
  }
}

TEST_CASE("fewest blocks: starts at one block if the guess is NaN", "[core][block]") {
  CHECK(search(std::nan(""), 1 / 1000.5).num_blocks == 1001);
}
