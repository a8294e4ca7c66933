#include "variants/blocked/blocked_rates.hpp"

#include <cmath>
#include <stdexcept>

#include "core/error.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference/classic_sizing.hpp"
#include "variants/blocked/blocked_sizing.hpp"

using namespace bloometry;
using namespace bloometry::theory;

TEST_CASE("blocked sizing: the size is the smallest over all k, with the smallest such k",
          "[variants][blocked]") {
  for (const double p : {0.5, 0.03, 0.0015, 1e-6}) {
    for (const std::uint64_t n : {1U, 30U, 1000U, 100'000U}) {
      const Geometry least = least_blocks(n, p, 512);
      CAPTURE(p, n, least.num_hashes, least.num_blocks());
      CHECK(blocked_rate(ProbeModel::kWithReplacement, n, least) <= p);
      for (unsigned k = 1; k <= kMaxBlockHashes; ++k) {
        const std::uint64_t blocks = least.num_blocks() - (k < least.num_hashes ? 0 : 1);
        if (blocks == 0 || k == least.num_hashes) continue;
        const Geometry other{512 * blocks, 1, k, 512};
        CHECK(blocked_rate(ProbeModel::kWithReplacement, n, other) > p * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("blocked sizing: an unreachable rate is refused", "[variants][blocked]") {
  CHECK_THROWS_AS(least_blocks(1000, 1e-60, 512), ConfigError);
}

TEST_CASE("blocked rates: one block equals the filter without blocks", "[variants][theory]") {
  CHECK(blocked_rate(10, 1, 64, 4) == exact_rate_with_replacement(10, 64, 4));
  CHECK(blocked_rate(10, 1, 64, 4, InBlock::kDistinct) == exact_rate_distinct(10, 64, 4));
  CHECK(blocked_rate(10, 1, 64, 4, InBlock::kSemi) == semi_rate(10, 64, 4));
  CHECK(blocked_rate(10, 1, 64, 4, InBlock::kClassic) == theory::classic_rate(10, 64, 4));
}

TEST_CASE("blocked rates: equals the mixture over the keys in a block", "[variants][theory]") {
  // With n = 6 keys on 3 blocks, a block contains j keys with probability C(6,j) 2^(6-j)/3^6.
  const double choose[] = {1, 6, 15, 20, 15, 6, 1};
  double sum = 0.0;
  for (unsigned j = 0; j <= 6; ++j) {
    sum += choose[j] * std::pow(2.0, 6 - j) / 729.0 * exact_rate_with_replacement(j, 32, 3);
  }
  CHECK(blocked_rate(6, 3, 32, 3) == Approx(sum).epsilon(1e-14));
}

TEST_CASE("blocked rates: many blocks follow the Poisson form, and the approximations are low",
          "[variants][theory]") {
  const double exact = blocked_poisson_rate(10, 512, 6);
  CHECK(blocked_rate(51'200'000, 1'000'000, 512, 6) == Approx(exact).epsilon(1e-5));
  const double semi = blocked_poisson_rate(10, 512, 6, InBlock::kSemi);
  const double classic = blocked_poisson_rate(10, 512, 6, InBlock::kClassic);
  CHECK(classic < semi);
  CHECK(semi < exact);
  CHECK(classic / exact == Approx(1 - 0.013).margin(1e-3));  // theory 6.1
  CHECK(blocked_poisson_rate(10, 512, 6, InBlock::kDistinct) < exact);
  // Some blocks are crowded, so the rate is higher than without blocks.
  CHECK(exact > theory::classic_rate(1, 10, 6));
}

TEST_CASE("blocked rates: the best k is the best of all 64, and bits per key invert the rate",
          "[variants][theory][exhaustive]") {
  for (const double c : {3.0, 10.0, 16.0, 40.0}) {
    const unsigned best = blocked_best_num_hashes(c, 256);
    const double least = blocked_poisson_rate(c, 256, best);
    for (unsigned k = 1; k <= 64; ++k) CHECK(blocked_poisson_rate(c, 256, k) >= least);
  }
  CHECK(blocked_best_num_hashes(40, 8, InBlock::kDistinct) <= 8);
  for (const double p : {0.5, 0.01, 1e-5}) {
    const double c = blocked_bits_per_key(p, 512, 6);
    CHECK(blocked_poisson_rate(c, 512, 6) == Approx(p).epsilon(1e-13));
  }
}

TEST_CASE("blocked rates: degenerate filters have rate 0 or 1, invalid arguments are refused",
          "[variants][theory]") {
  CHECK(blocked_rate(0, 5, 64, 3) == 0.0);
  CHECK(blocked_rate(1'000'000'000, 5, 64, 3) == 1.0);
  CHECK(blocked_poisson_rate(1e-6, 512, 3) == 1.0);
  CHECK_THROWS_AS(blocked_rate(1, 0, 64, 3), std::domain_error);
  CHECK_THROWS_AS(blocked_rate(1, 5, 0, 3), std::domain_error);
  CHECK_THROWS_AS(blocked_rate(1, 5, 64, 0), std::domain_error);
  CHECK_THROWS_AS(blocked_rate(1, 5, 2, 3, InBlock::kDistinct), std::domain_error);
  CHECK_THROWS_AS(blocked_poisson_rate(0.0, 64, 3), std::domain_error);
  CHECK_THROWS_AS(blocked_bits_per_key(0.0, 64, 3), std::domain_error);
  CHECK_THROWS_AS(blocked_bits_per_key(1e-300, 64, 1), std::domain_error);
}
