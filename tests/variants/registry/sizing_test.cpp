#include "variants/registry/sizing.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/reference/classic_sizing.hpp"
#include "variants/registry/theory_registry.hpp"

using namespace bloometry;

namespace {

SizeAnswer solve(std::string_view variant, const SizeRequest& request) {
  return solve_size(find_variant(variant), request);
}

/// Returns whether the variant has blocks and is not limited. table_sizing_test.cpp tests the sizes
/// of limited variants.
bool is_of_blocks(const VariantInfo& info) {
  return info.sized_by_blocks && !info.is_limited;
}

/// Returns whether the variant has one m and one k, whose rate for n keys does not depend on when
/// the keys were inserted.
bool is_of_cells(const VariantInfo& info) {
  return !info.sized_by_blocks && !info.can(Operation::kGrow) && !info.can(Operation::kTick);
}

std::vector<std::string> names_where(bool (*is_wanted)(const VariantInfo& info)) {
  std::vector<std::string> names;
  for (const VariantInfo& info : all_variant_infos()) {
    if (is_wanted(info)) names.emplace_back(info.name);
  }
  return names;
}

/// Returns the largest k up to `most` that the variant accepts.
unsigned most_hashes(std::string_view variant, unsigned most) {
  return std::min(most, find_variant(variant).max_num_hashes);
}

/// Returns whether the exact rate of the variant is slow to compute. The occupancy chain of
/// variable_increment needs about a second if k is large or the filter is overfull.
bool is_costly(std::string_view variant, std::uint64_t n, std::uint64_t m, unsigned k) {
  return variant == "variable_increment" && (k > 16 || n * k > 6 * m);
}

double rate_of(const SizeAnswer& answer, std::uint64_t num_keys, std::uint64_t num_cells,
               unsigned num_hashes) {
  const VariantInfo& variant = find_variant(answer.variant);
  FilterSpec spec{.num_hashes = num_hashes};
  set_size(spec, variant.cell_axis(), num_cells);
  return guaranteed_rate({variant, scheme_of_model(variant, answer.model), spec, {}}, num_keys);
}

}  // namespace

// tests/golden/theory_reference.json, quantity min_m_exact.
TEST_CASE("sizing: the smallest m equals the theory reference", "[variants][sizing]") {
  std::size_t num_records = 0;
  for (const auto& record : test::golden_records("theory_reference.json")) {
    if (record.at("quantity") != "min_m_exact") continue;
    const auto& params = record.at("params");
    const SizeAnswer answer = solve("standard", {.num_keys = params.at("n").get<std::uint64_t>(),
                                                 .rate = params.at("p").get<double>()});
    INFO(test::text_of(record));
    CHECK(answer.num_cells == record.at("value").get<std::uint64_t>());
    CHECK(answer.num_hashes == params.at("k").get<unsigned>());
    ++num_records;
  }
  CHECK(num_records == 6);
}

TEST_CASE("sizing: the smallest m keeps p, one cell less does not, and no k is better",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(names_where(is_of_cells)));
  const std::uint64_t n = GENERATE(1, 2, 3, 10, 57, 1000);
  const double p = GENERATE(0.5, 0.1, 0.01, 1e-4);
  const SizeAnswer answer = solve(variant, {.num_keys = n, .rate = p});
  INFO(variant << " n = " << n << " p = " << p);
  REQUIRE(answer.is_sized());
  CHECK(answer.rate <= p);
  CHECK(answer.rate == rate_of(answer, n, answer.num_cells, answer.num_hashes));
  CHECK(answer.rate_by == "exact");
  for (unsigned k = find_variant(variant).min_num_hashes;
       k <= most_hashes(variant, 20) && k < answer.num_cells; ++k) {
    if (is_costly(variant, n, answer.num_cells, k)) break;
    CHECK(rate_of(answer, n, answer.num_cells - 1, k) > p);
  }
}

TEST_CASE("sizing: the smallest m equals the guaranteed size of the theory",
          "[variants][sizing][exhaustive]") {
  for (const auto model : {ProbeModel::kWithReplacement, ProbeModel::kDistinct}) {
    for (const std::uint64_t n : {1, 7, 100, 3000, 1'000'000}) {
      for (const double p : {0.6, 0.03, 1e-3, 1e-9}) {
        const SizeAnswer answer = solve("standard", {.num_keys = n, .rate = p, .model = model});
        const auto [num_bits, num_hashes] = theory::guaranteed_size(model, n, p);
        INFO("model " << static_cast<char>(model) << ", n " << n << ", p " << p);
        // The floor of the rate needs at most its share of p more cells.
        const double share = answer.floor->rate / p;
        CHECK(answer.num_cells >= num_bits);
        CHECK(static_cast<double>(answer.num_cells - num_bits) <=
              share * static_cast<double>(num_bits));
        CHECK(answer.num_hashes == num_hashes);
      }
    }
  }
}

TEST_CASE("sizing: filters of blocks have the fewest whole blocks that keep p",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(names_where(is_of_blocks)));
  const std::uint64_t n = GENERATE(1, 57, 1000, 300'000);
  const double p = GENERATE(0.5, 0.01, 1e-4);
  const VariantInfo& info = find_variant(variant);
  const SizeAnswer answer = solve(variant, {.num_keys = n, .rate = p});
  INFO(variant << " n = " << n << " p = " << p);
  REQUIRE(answer.is_sized());
  const unsigned block =
      info.geometry({.num_bits = 1'000'000, .num_hashes = info.min_num_hashes}).block_cells;
  CHECK(answer.num_cells % block == 0);
  CHECK(answer.rate <= p);
  CHECK(answer.rate == rate_of(answer, n, answer.num_cells, answer.num_hashes));
  const bool is_model = !info.schemes.front().why_not_exact.empty() && n > 1;
  CHECK(answer.rate_by == (is_model ? "bound" : "exact"));
  for (unsigned k = info.min_num_hashes; k <= info.max_num_hashes; ++k) {
    if (answer.num_cells > block) CHECK(rate_of(answer, n, answer.num_cells - block, k) > p);
  }
}

TEST_CASE("sizing: a rate below the floor is refused with the floor and its remedy",
          "[variants][sizing]") {
  const SizeAnswer split = solve("split_block", {.num_keys = 1'000'000, .rate = 1e-12});
  CHECK_FALSE(split.is_sized());
  CHECK_THAT(split.refusal,
             Catch::Matchers::Contains("that a query has the digest bits of one of them") &&
                 Catch::Matchers::Contains("lowered by more blocks, or another variant"));
  for (const char* variant : {"standard", "partitioned", "counting", "variable_increment"}) {
    CAPTURE(variant);
    CHECK(solve(variant, {.num_keys = 1'000'000, .rate = 1e-12}).is_sized());
    const SizeAnswer answer = solve(variant, {.num_keys = 1'000'000, .rate = 1e-30});
    CHECK_THAT(answer.refusal, Catch::Matchers::StartsWith(
                                   "p is below the floor of its rate with 1000000 keys, the "
                                   "probability 1.084e-13 ") &&
                                   Catch::Matchers::Contains("lowered by the scheme independent"));
  }
  CHECK_THAT(solve("scalable", {.num_keys = 1'000'000, .rate = 1e-30}).refusal,
             Catch::Matchers::StartsWith("as the filter grows, p is below the floor"));
  CHECK_THAT(solve("standard", {.rate = 1e-30, .num_cells = 1'000'000}).refusal,
             Catch::Matchers::StartsWith("p is below the floor of its rate with 1 key"));
}

TEST_CASE("sizing: a scheme with digests of 128 bits reaches 1e-30", "[variants][sizing]") {
  const SizeAnswer answer =
      solve("standard", {.num_keys = 100, .rate = 1e-30, .model = ProbeModel::kDistinct});
  REQUIRE(answer.is_sized());
  CHECK(answer.rate <= 1e-30);
  CHECK(answer.rate_by == "exact");
}

TEST_CASE("sizing: the hash of the keys limits the rate", "[variants][sizing]") {
  const HashBits narrow = {.num = 32};
  CHECK_FALSE(solve("standard", {.num_keys = 1'000'000, .rate = 1e-7, .hash = narrow}).is_sized());
  const SizeAnswer answer =
      solve("standard", {.num_keys = 1'000'000, .rate = 1e-3, .hash = narrow});
  const SizeAnswer wide = solve("standard", {.num_keys = 1'000'000, .rate = 1e-3});
  CHECK(answer.rate <= 1e-3);
  CHECK(answer.floor->name == "hash_bits");
  CHECK(answer.num_cells > wide.num_cells);
}

TEST_CASE("sizing: filters of blocks use as much of the given size as fits", "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(names_where(is_of_blocks)));
  const VariantInfo& info = find_variant(variant);
  const SizeAnswer answer = solve(variant, {.rate = 0.01, .num_bits = 100'000});
  INFO(variant);
  REQUIRE(answer.is_sized());
  CHECK(answer.num_bits() <= 100'000);
  CHECK(answer.num_bits() + 512 > 100'000);
  CHECK(answer.rate <= 0.01);
  for (unsigned k = info.min_num_hashes; k <= info.max_num_hashes; ++k) {
    CHECK(rate_of(answer, answer.num_keys + 1, answer.num_cells, k) > 0.01);
  }
  const SizeAnswer rate = solve(variant, {.num_keys = 2000, .num_bits = 100'000});
  for (unsigned k = info.min_num_hashes; k <= info.max_num_hashes; ++k) {
    CHECK(rate_of(rate, 2000, rate.num_cells, k) >= rate.rate);
  }
  CHECK_FALSE(solve(variant, {.rate = 0.01, .num_bits = 255}).is_sized());
  CHECK_FALSE(solve(variant, {.num_keys = 100, .rate = 0.01, .num_hashes = 17U}).is_sized());
}

TEST_CASE("sizing: a given k is used, with its smallest m", "[variants][sizing]") {
  const SizeAnswer answer = solve("standard", {.num_keys = 1000, .rate = 0.01, .num_hashes = 3U});
  CHECK(answer.num_hashes == 3);
  CHECK(rate_of(answer, 1000, answer.num_cells, 3) <= 0.01);
  CHECK(rate_of(answer, 1000, answer.num_cells - 1, 3) > 0.01);
}

TEST_CASE("sizing: the largest number of keys keeps p, and one more does not with any k",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(names_where(is_of_cells)));
  const std::uint64_t m = GENERATE(16, 100, 9586, 1'000'000);
  const SizeAnswer answer = solve(variant, {.rate = 0.01, .num_cells = m});
  INFO(variant << " m = " << m);
  if (m > 100) REQUIRE(answer.is_sized());
  // With one probe, a small filter does not keep p for a single key.
  const std::uint64_t most_keys = answer.is_sized() ? answer.num_keys : 0;
  if (answer.is_sized()) {
    CHECK(answer.num_cells == m);
    CHECK(answer.rate <= 0.01);
  }
  for (unsigned k = find_variant(variant).min_num_hashes; k <= most_hashes(variant, 16) && k <= m;
       ++k) {
    if (is_costly(variant, most_keys, m, k)) break;
    CHECK(rate_of(answer, most_keys + 1, m, k) > 0.01);
  }
}

TEST_CASE("sizing: n and a size give the rate at the best k", "[variants][sizing]") {
  const SizeAnswer answer = solve("standard", {.num_keys = 1'000'000, .num_cells = 9'585'059});
  CHECK(answer.num_hashes == 7);
  CHECK(answer.rate == Approx(0.01003922361).epsilon(1e-9));

  SECTION("memory of a counting filter is four bits per counter") {
    const SizeAnswer counting = solve("counting", {.num_keys = 1000, .num_bits = 40'001});
    CHECK(counting.num_cells == 10'000);
    CHECK(counting.num_bits() == 40'000);
  }
  SECTION("a p that is not reached is refused with the reached rate") {
    const SizeAnswer refused =
        solve("standard", {.num_keys = 1'000'000, .rate = 0.01, .num_cells = 9'585'059});
    CHECK_FALSE(refused.is_sized());
    CHECK(refused.refusal.find("its rate at this size, 0.01004 with k = 7, is above p") !=
          std::string::npos);
    CHECK(solve("standard", {.num_keys = 1'000'000, .rate = 0.0101, .num_cells = 9'585'059})
              .is_sized());
  }
}

TEST_CASE("sizing: the best k is the best of all 64", "[variants][sizing][exhaustive]") {
  const std::string variant = GENERATE(from_range(names_where(is_of_cells)));
  const std::uint64_t n = GENERATE(1, 5, 100);
  const std::uint64_t m = GENERATE(8, 64, 210, 2048);
  const VariantInfo& info = find_variant(variant);
  FilterSpec spec;
  set_size(spec, info.cell_axis(), m);
  const ProbeModel model = info.schemes.front().model;
  const unsigned best = best_num_hashes(info, spec, model, n);
  const SizeAnswer answer{.variant = info.name, .model = model};
  INFO(variant << " n = " << n << " m = " << m << " best = " << best);
  for (unsigned k = info.min_num_hashes; k <= most_hashes(variant, 64) && k <= m; ++k) {
    if (is_costly(variant, n, m, k)) break;
    CHECK(rate_of(answer, n, m, k) >= rate_of(answer, n, m, best));
  }
}

TEST_CASE("sizing: the best k is found from any starting k", "[variants][sizing]") {
  FilterSpec spec{.num_bits = 9'586};
  spec.num_hashes = GENERATE(1U, 6U, 7U, 8U, 64U);
  CHECK(best_num_hashes(find_variant("standard"), spec, ProbeModel::kWithReplacement, 1'000) == 7);
}

TEST_CASE("sizing: a growing filter has its first stage and keeps p", "[variants][sizing]") {
  const SizeAnswer answer = solve("scalable", {.num_keys = 1000, .rate = 0.01});
  REQUIRE(answer.is_sized());
  CHECK(answer.rate == 0.01);
  CHECK(answer.rate_by == "design_bound");
  const AnyFilter filter =
      make_filter("scalable", "remix", {.capacity = 1000, .target_false_positive_rate = 0.01});
  CHECK(answer.num_bits() == filter.num_bits());

  const SizeAnswer held = solve("scalable", {.rate = 0.01, .num_bits = answer.num_bits()});
  CHECK(held.num_keys == 1000);
  CHECK(solve("scalable", {.rate = 0.01, .num_bits = answer.num_bits() - 1}).num_keys == 999);

  CHECK_FALSE(solve("scalable", {.num_keys = 1000, .num_bits = 20'000}).is_sized());
  CHECK_FALSE(solve("scalable", {.num_keys = 1000, .rate = 0.01, .num_hashes = 3U}).is_sized());
  // With P0 = P, as in some libraries, the filter does not keep the bound.
  CHECK_FALSE(
      solve("scalable", {.num_keys = 1000, .rate = 0.01, .params = {{"initial_rate", 0.01}}})
          .is_sized());
}

TEST_CASE("sizing: large and tiny requests are answered", "[variants][sizing]") {
  // With model D, digests have 128 bits. With remix, collisions of 63 bits need 8e-6 more bits.
  const SizeAnswer large =
      solve("standard", {.num_keys = 1'000'000'000, .rate = 1e-6, .model = ProbeModel::kDistinct});
  CHECK(large.num_hashes == 20);
  CHECK(large.rate <= 1e-6);
  CHECK(large.bits_per_key() == Approx(28.75527868).epsilon(1e-8));
  CHECK_FALSE(solve("standard", {.rate = 1e-12, .num_cells = 1}).is_sized());
  CHECK_FALSE(solve("counting", {.num_keys = 10, .num_bits = 3}).is_sized());
}

TEST_CASE("sizing: blocks and bits per key give the same answers as their bits",
          "[variants][sizing]") {
  const std::string variant = GENERATE(from_range(names_where(is_of_blocks)));
  const Geometry block = find_variant(variant).geometry(
      {.num_blocks = 1, .num_hashes = find_variant(variant).min_num_hashes});
  const SizeAnswer of_blocks = solve(variant, {.rate = 0.01, .num_blocks = 40});
  INFO(variant);
  CHECK(of_blocks.num_bits() == 40 * block.num_bits());
  CHECK(of_blocks.num_keys ==
        solve(variant, {.rate = 0.01, .num_bits = of_blocks.num_bits()}).num_keys);
  const SizeAnswer per_key = solve(variant, {.num_keys = 1000, .bits_per_key = 50.5});
  CHECK(per_key.num_cells == solve(variant, {.num_keys = 1000, .num_bits = 50'500}).num_cells);
}

TEST_CASE("sizing: variants without blocks refuse a number of blocks", "[variants][sizing]") {
  CHECK(solve("standard", {.num_keys = 10, .num_blocks = 4}).refusal ==
        "num_blocks must be left out without blocks");
  CHECK(solve("scalable", {.rate = 0.01, .num_blocks = 4}).refusal ==
        "num_blocks must be left out without blocks");
}

TEST_CASE("sizing: needs and scheme are checked before the sizes", "[variants][sizing]") {
  // The floor would refuse the rate, and the search for it would need the scheme.
  const SizeRequest request = {.num_keys = 1'000'000, .rate = 1e-30, .needs = {"erase"}};
  CHECK(solve("standard", request).refusal == "cannot erase");
  CHECK(solve("standard", {.num_keys = 10, .rate = 1e-30, .probes = "lane_fields"})
            .refusal.find("does not have the scheme lane_fields, only remix, ") == 0);
  CHECK_THROWS_WITH(solve("standard", {.num_keys = 10, .rate = 0.1, .needs = {"speed"}}),
                    "needs must be one of erase, grow, merge, tick, cache-line, got 'speed'");
}

TEST_CASE("sizing: incomplete and impossible requests are errors", "[variants][sizing]") {
  CHECK_THROWS_AS(solve("standard", {}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 0, .rate = 0.1}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5, .rate = 0.0}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5, .rate = 1.0}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5, .num_cells = 0}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5, .num_cells = 8, .num_bits = 8}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5, .rate = 0.1, .num_hashes = 0U}), ConfigError);
  CHECK_THROWS_AS(solve("standard", {.num_keys = 5, .rate = 0.1, .num_hashes = 65U}), ConfigError);
}
