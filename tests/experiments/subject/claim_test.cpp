#include "experiments/subject/claim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/statistics/rate_mixture.hpp"
#include "core/text.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"
#include "variants/split_block/split_block_rates.hpp"

using namespace bloometry;

namespace {

/// Returns the claim of a table with n keys, whose width follows from the spec.
Claim table_claim(std::string_view variant, const FilterSpec& spec, std::uint64_t n) {
  const VariantInfo& info = find_variant(variant);
  return make_claim(variant, info.geometry(spec), ProbeModel::kWithReplacement, n,
                    info.resolved_params(spec));
}

/// Checks the rates and the weights of the law, in ascending order of the rates.
void check_parts(const theory::ClaimLaw& law,
                 const std::vector<statistics::RateMixture::Part>& expected) {
  const std::vector<statistics::RateMixture::Part> parts = law.rates.parts();
  REQUIRE(parts.size() == expected.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    CAPTURE(i);
    CHECK(parts[i].rate == Approx(expected[i].rate).epsilon(1e-14));
    CHECK(parts[i].weight == Approx(expected[i].weight).epsilon(1e-14));
  }
}

}  // namespace

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

TEST_CASE("claim: the rate of a table is that of the filter with the width of the spec",
          "[subject]") {
  const FilterSpec of_cells{.capacity = 1000, .num_counters = 2048};
  const FilterSpec of_rate{.capacity = 1000, .target_false_positive_rate = 0.01};
  const FilterSpec of_memory{.capacity = 1000, .num_bits = 20'000};
  // Each of these parameters changes the width of a fingerprint or its share of the cell.
  const std::vector<std::pair<std::string_view, Params>> tables = {
      {"d_left", {}},
      {"d_left", {{"remainder_bits", 8.0}}},
      {"d_left", {{"counter_bits", 5.0}}},
      {"cuckoo", {}},
      {"cuckoo", {{"fingerprint_bits", 8.0}}},
      {"cuckoo", {{"semi_sorting", 1.0}}},
      {"cuckoo", {{"semi_sorting", 1.0}, {"fingerprint_bits", 8.0}}}};
  for (const auto& [variant, params] : tables) {
    for (FilterSpec spec : {of_cells, of_rate, of_memory}) {
      const bool has_width =
          params.contains("remainder_bits") || params.contains("fingerprint_bits");
      if (has_width && !spec.num_counters) continue;  // the size determines the width
      spec.params = params;
      const Claim claim = table_claim(variant, spec, 1000);
      CAPTURE(variant, claim.cell_bits);
      for (const std::uint64_t n : {1, 250, 1000, 2000}) {
        const theory::ClaimLaw law = at_load(claim, n).law;
        const double expected =
            find_theory(variant).expected_rate(spec, ProbeModel::kWithReplacement, n);
        CHECK(law.expected_rate == expected);
        CHECK(law.rates.mean() == Approx(expected).epsilon(1e-9).margin(0));
        CHECK_FALSE(law.is_bound);
        CHECK_FALSE(law.has_fill_law);
      }
    }
  }
}

TEST_CASE("claim: the counters of d_left are not part of its remainders", "[subject]") {
  FilterSpec spec{.capacity = 1000, .num_counters = 2048};
  const double rate = table_claim("d_left", spec, 1000).law.expected_rate;
  CHECK(rate == Approx(1000 / (64 * 0x1p14)).epsilon(1e-3));  // 64 buckets in each of 4 subtables
  spec.params = {{"counter_bits", 5.0}};
  const Claim wide = table_claim("d_left", spec, 500);
  CHECK(at_load(wide, 1000).law.expected_rate == rate);
  CHECK(rate_of_kind(wide, wide.geometry(), 1000) == rate);
}

TEST_CASE("claim: the law of a table is that of the different fingerprints of its keys",
          "[subject]") {
  // Three keys have 15 classes in two buckets with fingerprints of 4 bits.
  const FilterSpec cuckoo{.capacity = 3, .num_counters = 8, .params = {{"fingerprint_bits", 4.0}}};
  check_parts(table_claim("cuckoo", cuckoo, 3).law,
              {{1 / 15.0, 1 / 225.0}, {2 / 15.0, 3 * 14 / 225.0}, {3 / 15.0, 14 * 13 / 225.0}});
  // Three keys have 4 fingerprints in a bucket per subtable with remainders of 2 bits.
  const FilterSpec d_left{
      .capacity = 3, .num_counters = 16, .num_hashes = 2, .params = {{"remainder_bits", 2.0}}};
  check_parts(table_claim("d_left", d_left, 3).law,
              {{0.25, 1 / 16.0}, {0.5, 9 / 16.0}, {0.75, 6 / 16.0}});
}

TEST_CASE("claim: the law of more than 2^62 fingerprints is a single rate", "[subject]") {
  const FilterSpec spec{
      .capacity = 1'000'000, .num_counters = 1 << 21, .params = {{"fingerprint_bits", 56.0}}};
  const theory::ClaimLaw law = table_claim("cuckoo", spec, 1'000'000).law;
  CHECK(law.expected_rate == Approx(1e6 / std::ldexp(1, 18 + 56)).epsilon(1e-12).margin(0));
  CHECK(law.rates.size() == 1);
  CHECK(law.rates.mean() == law.expected_rate);
}

TEST_CASE("claim: tables that the filter rejects have a rate", "[subject]") {
  const Claim cuckoo = table_claim("cuckoo", {.capacity = 10, .num_counters = 64}, 10);
  const Geometry odd{.num_cells = 12, .cell_bits = 1, .num_hashes = 2, .block_cells = 4};
  CHECK(rate_of_kind(cuckoo, odd, 1) == Approx(2.0 / 4));  // as with four buckets
  const Claim d_left = table_claim("d_left", {.capacity = 10, .num_counters = 64}, 10);
  const Geometry narrow{.num_cells = 8, .cell_bits = 2, .num_hashes = 4, .block_cells = 8};
  CHECK(rate_of_kind(d_left, narrow, 1) == Approx(1.0 / 2));  // as with a bucket and a bit
}
