#include "core/theory/occupancy_band.hpp"

#include <algorithm>
#include <vector>

#include "tests/support/catch.hpp"

namespace {

using namespace bloometry::theory;

/// Returns the result of the recurrence, computed in place and one element at a time. The array
/// contains an element for every number of ones.
Band plain_band(std::uint64_t num_keys, std::uint64_t num_bits, unsigned probes_per_key) {
  const auto m = static_cast<double>(num_bits);
  std::vector<double> pmf(num_bits + 2, 0.0);
  pmf[0] = 1.0;
  std::size_t low = 0;
  std::size_t high = 0;
  for (std::uint64_t i = 0; i < num_keys * probes_per_key; ++i) {
    const auto taken = static_cast<double>(i % probes_per_key);
    const double scale = 1.0 / (m - taken);
    high = std::min<std::size_t>(high + 1, num_bits);
    for (std::size_t x = high; x > low; --x) {
      const auto ones = static_cast<double>(x);
      pmf[x] = (pmf[x] * (ones - taken) + pmf[x - 1] * (m - ones + 1.0)) * scale;
    }
    pmf[low] *= (static_cast<double>(low) - taken) * scale;
    while (pmf[low] < kTrimBelow) pmf[low++] = 0.0;
    while (pmf[high] < kTrimBelow) pmf[high--] = 0.0;
  }
  const auto begin = pmf.begin();
  return {
      low,
      {begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high) + 1}};
}

void check_band(std::uint64_t num_keys, std::uint64_t num_bits, unsigned probes_per_key) {
  INFO(num_keys << " keys, " << num_bits << " bits, " << probes_per_key << " probes");
  const Band band = occupancy_band(num_keys, num_bits, probes_per_key);
  const Band plain = plain_band(num_keys, num_bits, probes_per_key);
  CHECK(band.first == plain.first);
  CHECK(band.pmf == plain.pmf);
}

}  // namespace

TEST_CASE("occupancy band: equals the plain recurrence bit for bit", "[core][theory]") {
  SECTION("both ends are trimmed") {
    check_band(4'000, 3'001, 1);
    check_band(700, 5'000, 7);
  }
  SECTION("few keys, and arrays that fill up") {
    check_band(0, 10, 1);
    check_band(1, 10, 1);
    check_band(1, 10, 10);
    check_band(300, 5, 1);
    check_band(300, 5, 3);
  }
  SECTION("after laws of other arrays, of fewer keys and of more") {
    for (const std::uint64_t num_keys : {100U, 900U, 900U, 400U, 1'000U}) {
      check_band(num_keys, 1'200, 1);
      check_band(num_keys, 1'201, 1);
      check_band(num_keys / 3, 1'200, 3);
    }
    for (std::uint64_t num_bits = 500; num_bits < 600; num_bits += 2) check_band(50, num_bits, 1);
    check_band(1'100, 1'200, 1);
  }
}
