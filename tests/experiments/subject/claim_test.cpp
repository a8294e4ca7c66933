#include "experiments/subject/claim.hpp"

#include "tests/support/catch.hpp"
#include "variants/split_block/split_block_rates.hpp"

using namespace bloometry;

TEST_CASE("claim: split_block includes the collisions of 32 bits in a block", "[subject]") {
  const Geometry geometry{.num_cells = 512, .num_hashes = 8, .block_cells = 256};
  const Claim claim = make_claim("split_block", geometry, ProbeModel::kPartitioned, 2);
  const double collisions = 2 * 0x1p-33;  // two keys in two blocks
  const double of_ideal_lanes = theory::split_block_rate(2, 2);
  REQUIRE(of_ideal_lanes < collisions);
  CHECK(claim.expected_rate == Approx(of_ideal_lanes + collisions).epsilon(1e-9).margin(0));
  CHECK(claim.rates.mean() == Approx(claim.expected_rate).epsilon(1e-9).margin(0));
}

TEST_CASE("claim: the width of the subject's hash is not assumed", "[subject]") {
  const Geometry geometry{.num_cells = 100'000, .num_hashes = 64};
  const Claim claim = make_claim("standard", geometry, ProbeModel::kWithReplacement, 100);
  CHECK(claim.expected_rate < 1e-60);
}
