#include "core/rates/in_block_rates.hpp"

#include "core/theory/occupancy_chain.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

namespace bloometry {
namespace {

/// Returns the value with a tolerance of jk rounding errors of 1e-16 in each of the two compared
/// forms.
Approx close_to(double value, std::uint64_t num_keys, unsigned k) {
  return Approx(value).epsilon(2e-16 * static_cast<double>(num_keys * k + 50)).margin(0);
}

}  // namespace

TEST_CASE("in_block_rates: equals the exact rate of one filter for every number of keys",
          "[core][block]") {
  for (const unsigned cells : {4U, 16U, 128U, 256U, 512U}) {
    for (const unsigned k : {1U, 2U, 4U, 7U, 16U}) {
      if (k > cells) continue;
      InBlockRates with_replacement(kW, cells, k);
      InBlockRates distinct(kD, cells, k);
      for (const std::uint64_t j : {0, 1, 2, 3, 10, 51, 120}) {
        CAPTURE(cells, k, j);
        CHECK(with_replacement(j) == close_to(theory::exact_rate(kW, j, cells, k), j, k));
        CHECK(distinct(j) == close_to(theory::exact_rate(kD, j, cells, k), j, k));
      }
    }
  }
}

TEST_CASE("in_block_rates: the power r gives the probability that r absent keys pass",
          "[core][block]") {
  for (const unsigned k : {1U, 3U, 8U}) {
    InBlockRates squares(kW, 64, k, 2);
    for (const std::uint64_t j : {0, 1, 5, 30}) {
      CAPTURE(k, j);
      CHECK(squares(j) ==
            close_to(theory::any_hit_moment(static_cast<double>(j * k), 64, 2 * k), j, 2 * k));
    }
  }
  // With B = 3, k = 2, distinct probes and one key, an absent key has the same cells as that key
  // with probability 1/3. For two independent absent keys, the probability is 1/9.
  CHECK(InBlockRates(kD, 3, 2, 2)(1) == Approx(1.0 / 9).epsilon(1e-15));
  CHECK(InBlockRates(kD, 3, 2, 1)(1) == Approx(1.0 / 3).epsilon(1e-15));
}

TEST_CASE("in_block_rates: the rate of a full block is 1 for any number of keys", "[core][block]") {
  InBlockRates rates(kW, 8, 2);
  CHECK(rates(1'000'000'000'000) == 1);
  CHECK(rates(0) == 0);
  // The expected number of zeros, 512 (1-1/512)^120,000 = 7e-100, is too small to change a double.
  // A computation with 120,000 rounding errors would not give exactly 1.
  for (const unsigned power : {1U, 2U}) CHECK(InBlockRates(kW, 512, 6, power)(20'000) == 1);
}

}  // namespace bloometry
