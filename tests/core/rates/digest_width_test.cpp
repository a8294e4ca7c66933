#include "core/rates/digest_width.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/rates/rate_given_state.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Returns the distribution of the number of distinct digests of n keys, by the occupancy
/// recurrence.
std::vector<double> distinct_law(unsigned num_keys, unsigned num_values) {
  std::vector<double> law(num_values + 1);
  law[0] = 1;
  for (unsigned key = 0; key < num_keys; ++key) {
    for (unsigned d = num_values; d > 0; --d) {
      law[d] = law[d] * d / num_values + law[d - 1] * (num_values - d + 1) / num_values;
    }
    law[0] = 0;
  }
  return law;
}

/// Returns the rate of j keys in a filter of k slices of 16 bits (model P).
auto sliced_rate(unsigned num_hashes) {
  return [num_hashes](std::uint64_t j) {
    return integer_power(1 - std::pow(1 - 1.0 / 16, static_cast<double>(j)), num_hashes);
  };
}

/// Returns E[D/V + (1 - D/V) f(D)] by a sum over all D.
template <class IdealRate>
double enumerated_rate(unsigned num_keys, unsigned num_values, const IdealRate& ideal) {
  const std::vector<double> law = distinct_law(num_keys, num_values);
  double sum = 0;
  for (unsigned d = 0; d <= num_values; ++d) {
    const double share = static_cast<double>(d) / num_values;
    sum += law[d] * (share + (1 - share) * ideal(d));
  }
  return sum;
}

}  // namespace

TEST_CASE("digest_width: few bits agree with the sum over all numbers of distinct digests",
          "[core][rates]") {
  for (const unsigned num_bits : {4U, 6U, 8U}) {
    for (const unsigned n : {1U, 2U, 3U, 10U, 40U, 200U}) {
      for (const unsigned k : {1U, 2U, 4U, 7U}) {
        CAPTURE(num_bits, n, k);
        const double enumerated = enumerated_rate(n, 1U << num_bits, sliced_rate(k));
        const double bound = std::max(k - 1.0, 2.0) * k / std::exp2(num_bits + 1);
        const double rate = rate_with_digests(n, num_bits, sliced_rate(k));
        CHECK(std::abs(rate - enumerated) <= bound * enumerated + 1e-15);
      }
    }
  }
}

TEST_CASE("digest_width: the mean number of distinct digests agrees with the occupancy law",
          "[core][rates]") {
  for (const unsigned num_bits : {1U, 4U, 8U, 12U}) {
    for (const unsigned n : {1U, 2U, 5U, 30U, 300U}) {
      CAPTURE(num_bits, n);
      const std::vector<double> law = distinct_law(n, 1U << num_bits);
      double mean = 0;
      for (std::size_t d = 0; d < law.size(); ++d) mean += law[d] * static_cast<double>(d);
      const double lost = expected_lost_digests(n, num_bits);
      CHECK(n - lost == Approx(mean).epsilon(1e-13));
      CHECK(digest_collision_rate(n, num_bits) == Approx(mean / std::exp2(num_bits)));
    }
  }
  const long double distinct = -0x1p32L * std::expm1(1e6L * std::log1p(-0x1p-32L));
  CHECK(expected_lost_digests(1e6, 32) ==
        Approx(static_cast<double>(1e6L - distinct)).epsilon(1e-9));
  CHECK(expected_lost_digests(1e6, 63) == Approx(1e6 * 999999 / 0x1p64).epsilon(1e-12));
}

TEST_CASE("digest_width: the collision rates of 32 bits are those of theory 1.8", "[core][rates]") {
  CHECK(digest_collision_rate(1e6, 32) == Approx(2.328035407e-4).epsilon(1e-9));
  CHECK(digest_collision_rate(4e7, 32) == Approx(9.269991980e-3).epsilon(1e-9));
  CHECK(digest_collision_rate(1, 32) == Approx(0x1p-32).epsilon(1e-12));
  CHECK(digest_collision_rate(0x1p32, 32) == Approx(1 - std::exp(-1)).epsilon(1e-9));
}

TEST_CASE("digest_width: extreme widths and numbers of keys give the limits of the rate",
          "[core][rates]") {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const auto tiny = [](std::uint64_t) { return 1e-30; };
  CHECK(rate_with_digests(1000000, kNever, tiny) == 1e-30);
  CHECK(rate_with_digests(1000000, 128, tiny) == Approx(1e-30).epsilon(1e-2));
  CHECK(rate_with_digests(1000000, 63, tiny) == Approx(1e6 * 0x1p-63).epsilon(1e-12));
  CHECK(rate_with_digests(0, 32, sliced_rate(3)) == 0);
  CHECK(rate_with_digests(std::uint64_t{1} << 32U, 1, tiny) == 1);
  // A term below 2^-54 of the rate does not change the rate.
  CHECK(rate_with_digests(10, 64, sliced_rate(2)) == sliced_rate(2)(10));
}

}  // namespace bloometry
