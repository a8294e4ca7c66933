#include "experiments/subject/claim.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"
#include "variants/split_block/split_block_rates.hpp"

using namespace bloometry;

TEST_CASE("claim: split_block includes the collisions of 32 bits in a block", "[subject]") {
  const Geometry geometry{.num_cells = 512, .num_hashes = 8, .block_cells = 256};
  const Claim claim = make_claim("split_block", geometry, ProbeModel::kPartitioned, 2);
  const double collisions = 2 * 0x1p-33;  // two keys in two blocks
  const double of_ideal_lanes = theory::split_block_rate(2, 2);
  REQUIRE(of_ideal_lanes < collisions);
  CHECK(claim.law.expected_rate == Approx(of_ideal_lanes + collisions).epsilon(1e-9).margin(0));
  CHECK(claim.law.rates.mean() == Approx(claim.law.expected_rate).epsilon(1e-9).margin(0));
}

TEST_CASE("claim: the theory of the variant determines which claims are accepted", "[subject]") {
  const std::vector<std::string_view> claimable = claimable_variants();
  for (const VariantInfo& info : all_variant_infos()) {
    CAPTURE(info.name);
    const VariantTheory& theory = find_theory(info.name);
    const bool is_claimable =
        std::find(claimable.begin(), claimable.end(), info.name) != claimable.end();
    CHECK(is_claimable == (theory.claim_law != nullptr));
    CHECK(is_claimable == theory.why_not_claimable.empty());
    if (is_claimable) {
      CHECK_NOTHROW(require_claimable(info.name));
    } else {
      CHECK_THROWS_WITH(require_claimable(info.name),
                        "claim must be " + joined_by_or(claimable) + ", got '" +
                            std::string(info.name) + "': " + std::string(theory.why_not_claimable));
    }
  }
  CHECK_THROWS_WITH(require_claimable("morton"),
                    "claim must be " + joined_by_or(claimable) + ", got 'morton'");
}

TEST_CASE("claim: the width of the subject's hash is not assumed", "[subject]") {
  const Geometry geometry{.num_cells = 100'000, .num_hashes = 64};
  const Claim claim = make_claim("standard", geometry, ProbeModel::kWithReplacement, 100);
  CHECK(claim.law.expected_rate < 1e-60);
}
