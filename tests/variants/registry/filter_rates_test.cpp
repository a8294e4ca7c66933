#include "variants/registry/filter_rates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/probe/split_block_bits.hpp"
#include "core/rates/digest_width.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/registry/theory_registry.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

RatedFilter rated(const std::string& variant, const std::string& scheme, const FilterSpec& spec,
                  HashBits hash = {}) {
  const VariantInfo& info = find_variant(variant);
  return {.variant = info, .scheme = info.scheme(scheme), .spec = spec, .hash = hash};
}

FilterSpec cells_spec(std::uint64_t m, unsigned k) {
  return {.num_bits = m, .num_hashes = k};
}

double ideal_rate(const RatedFilter& filter, std::uint64_t n) {
  return find_theory(filter.variant.name).expected_rate(filter.spec, filter.scheme.model, n);
}

Approx nearly(double value) {
  return Approx(value).epsilon(1e-9).margin(0);
}

}  // namespace

TEST_CASE("filter_rates: a rate of 1e-30 is the collision rate of 63 bits with remix",
          "[variants][theory]") {
  const FilterSpec spec = cells_spec(160'000'000, 64);
  const RatedFilter remix = rated("standard", "remix", spec);
  const Prediction prediction = predict(remix, 1000000);
  REQUIRE(ideal_rate(remix, 1000000) < 1e-27);
  CHECK(prediction.exact.value() == nearly(1e6 * 0x1p-63));
  CHECK(prediction.expected->floor->num_bits == 63);
  CHECK(prediction.expected->floor->lowered_by ==
        "the scheme independent (--probes independent), which uses 128 bits");

  const RatedFilter independent = rated("standard", "independent", spec);
  CHECK(predict(independent, 1000000).exact.value() ==
        nearly(ideal_rate(independent, 1000000) + 1e6 * 0x1p-128));
}

TEST_CASE("filter_rates: a hash of 32 bits has its collision rate at a million keys",
          "[variants][theory]") {
  const FilterSpec spec = cells_spec(33'547'705, 23);  // p = 1e-7
  const HashBits crc32 = {.num = 32, .why_not_uniform = "weak"};
  const Prediction narrow = predict(rated("standard", "remix", spec, crc32), 1000000);
  CHECK(narrow.expected->rate == Approx(2.329e-4).epsilon(1e-3));
  CHECK(narrow.expected->kind == RateKind::kModel);
  CHECK(narrow.expected->formula == "uniform_hash");
  CHECK(predict(rated("split_block", "parquet_salts", {.num_bits = 512}, crc32), 30)
            .expected->formula == "uniform_hash");  // before the lanes
  CHECK_FALSE(narrow.exact);
  const Prediction uniform = predict(rated("standard", "remix", spec, {.num = 32}), 1000000);
  CHECK(uniform.exact == narrow.expected->rate);
  CHECK(uniform.expected->floor->name == "hash_bits");
}

TEST_CASE("filter_rates: schemes with digest bits for every probe are limited only by the hash",
          "[variants][theory]") {
  const auto floor_of = [](const RatedFilter& filter) { return rate_floor(filter, 10).value(); };
  CHECK(floor_of(rated("blocked", "bit_fields", cells_spec(5120, 7))).name == "hash_bits");
  CHECK(floor_of(rated("blocked", "bit_fields", cells_spec(5120, 8))).num_bits ==
        nearly(64 + std::log2(10)));
  CHECK(floor_of(rated("lanes", "lane_fields", cells_spec(5120, 8))).name == "hash_bits");
  CHECK(floor_of(rated("standard", "remix", cells_spec(5120, 1))).num_bits == 128);
  // A hash of 128 bits has all bits of a digest, so only fewer keys lower the floor.
  CHECK(floor_of(rated("standard", "remix", cells_spec(5120, 1))).lowered_by == "fewer keys");
  const RateFloor of_64_bits =
      floor_of(rated("lanes", "lane_fields", cells_spec(5120, 8), {.num = 64}));
  CHECK(of_64_bits.num_bits == 64);
  CHECK(of_64_bits.lowered_by == std::string("a hash of more bits, such as xxh3 with 128 bits"));
}

TEST_CASE("filter_rates: the rate of split_block is exact for one key and a model for more",
          "[variants][theory]") {
  const RatedFilter one_block = rated("split_block", "parquet_salts", cells_spec(256, 8));
  CHECK(predict(one_block, 1).exact.value() == nearly(0x1p-32));
  const Prediction two = predict(one_block, 2);
  CHECK_FALSE(two.exact);
  CHECK(two.expected->rate == nearly(2.052696503e-10 + 2 * 0x1p-32));
  CHECK(two.expected->formula == "independent_lanes");
  CHECK(two.expected->upper_bound.value() == guaranteed_rate(one_block, 2));
  CHECK(two.expected->upper_bound.value() >= two.expected->rate);
  CHECK(guaranteed_rate(one_block, 1) == nearly(0x1p-32));
  // A hash of 32 bits has collisions of its own, and an uneven hash has no proven bound.
  const RatedFilter narrow = rated("split_block", "parquet_salts", cells_spec(256, 8), {.num = 20});
  CHECK(guaranteed_rate(narrow, 2) >= digest_collision_rate(2, 20));
  const HashBits uneven = {.num = 64, .why_not_uniform = "weak"};
  const RatedFilter weak = rated("split_block", "parquet_salts", cells_spec(256, 8), uneven);
  CHECK_FALSE(predict(weak, 2).expected->upper_bound);
  // 2^32 words are 2 or 3 words for each of 3 * 2^29 blocks, so two keys meet more often.
  const std::uint64_t z = 3ULL << 29U;
  const RatedFilter many_blocks = rated("split_block", "parquet_salts", cells_spec(256 * z, 8));
  CHECK(rate_floor(many_blocks, 1)->rate == nearly(0x1p-32 * (0x1p30 * 9 + 0x1p29 * 4) / 0x1p64));
}

TEST_CASE("filter_rates: a negligible floor does not change the rate", "[variants][theory]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    // The rate of one key in variable_increment is so low that no floor of 63 bits is negligible.
    if (!variant.passes_nonzero_cells() || variant.can(Operation::kGrow)) continue;
    if (variant.name == "split_block") continue;
    FilterSpec spec{.num_hashes = std::clamp(2U, variant.min_num_hashes, variant.max_num_hashes)};
    set_size(spec, variant.cell_axis(), 16);
    const RatedFilter filter{variant, variant.schemes.front(), spec, {}};
    CAPTURE(variant.name);
    CHECK(predict(filter, 1).exact.value() == ideal_rate(filter, 1));
    CHECK(expected_rate(filter, 1) == ideal_rate(filter, 1));
  }
}

TEST_CASE("filter_rates: equal probes may fail the counters of variable_increment",
          "[variants][theory]") {
  const RatedFilter filter =
      rated("variable_increment", "remix", {.num_counters = 1'000'000, .num_hashes = 20});
  const Prediction prediction = predict(filter, 1000);
  REQUIRE(ideal_rate(filter, 1000) < 1e-20);
  CHECK(prediction.expected->kind == RateKind::kBound);
  CHECK(prediction.expected->upper_bound.value() == nearly(1000 * 0x1p-63));
  CHECK_FALSE(prediction.exact);
}

TEST_CASE("filter_rates: the rate of more keys than cells is at most that of full cells",
          "[variants][theory]") {
  // The cells of a cuckoo table can be more than its classes, and those of d_left more than its
  // fingerprints. A table of d_left that doubles has more cells.
  const auto [variant, params] = GENERATE(
      table<std::string, Params>({{"cuckoo", {}},
                                  {"cuckoo", {{"semi_sorting", 1.0}, {"fingerprint_bits", 7.0}}},
                                  {"cuckoo", {{"fingerprint_bits", 4.0}, {"bucket_cells", 8.0}}},
                                  {"d_left", {}},
                                  {"d_left", {{"remainder_bits", 2.0}}},
                                  {"d_left", {{"max_capacity", 1000.0}}}}));
  FilterSpec spec{.num_counters = 128, .params = params};
  const VariantInfo& info = find_variant(variant);
  const RatedFilter filter = rated(variant, "digest_words", spec);
  const std::uint64_t num_cells = info.geometry_at(spec, 1'000'000).num_cells;
  CAPTURE(variant, num_cells);
  const Prediction all = predict(filter, num_cells);
  CHECK(all.exact == ideal_rate(filter, num_cells));
  CHECK(all.expected->condition == "no insert is refused");
  CHECK(all.has_room);
  const double of_full = static_cast<double>(num_cells) * ideal_rate(filter, 1);
  for (const std::uint64_t n : {num_cells + 1, 3 * num_cells, std::uint64_t{1} << 50U}) {
    const Prediction more = predict(filter, n);
    CHECK_FALSE(more.has_room);
    CHECK_FALSE(more.exact);
    CHECK_FALSE(more.rate_stddev);
    CHECK_FALSE(more.expected_fill_ratio);
    for (const NamedRate& named : more.approximations) CHECK_FALSE(named.rate);
    CHECK(more.expected->kind == RateKind::kBound);
    CHECK(more.expected->formula == "upper_bound");
    CHECK(more.expected->condition.empty());
    CHECK(more.expected->why_not_exact ==
          "a table of " + std::to_string(num_cells) + " cells does not have room for n keys");
    CHECK(more.expected->rate == std::min({1.0, of_full, ideal_rate(filter, n)}));
    CHECK(expected_rate(filter, n) == more.expected->rate);
  }
  AnyFilter table = make_filter(variant, "digest_words", spec);
  for (const Digest& digest : test::member_digests(3 * num_cells)) {
    static_cast<void>(table.try_insert({&digest, 1}));
  }
  constexpr double kRounding = 1 + 1e-12;
  CHECK(table.state().conditional_false_positive_rate <= std::min(1.0, of_full) * kRounding);
}

TEST_CASE("filter_rates: a query with the digest of a member is positive for any cells",
          "[variants][theory]") {
  const RatedFilter filter = rated("standard", "remix", cells_spec(1000, 7), {.num = 32});
  const ExpectedRate rate = rate_given_state(filter, 1e-9, 1000);
  CHECK(rate.rate == nearly(1e-9 + (1 - 1e-9) * digest_collision_rate(1000, 32)));
  CHECK(rate_given_state(filter, 1e-9, std::nullopt).kind == RateKind::kModel);
}

TEST_CASE("filter_rates: random digests of few bits collide as predicted",
          "[variants][theory][statistical]") {
  // Filters of keys whose digests are derived from 12 bits, as digest_of_32_bits does from 32.
  const RatedFilter filter = rated("standard", "remix", cells_spec(4096, 7), {.num = 12});
  constexpr std::uint64_t kNumKeys = 100;
  constexpr unsigned kNumFilters = 400;
  double sum = 0;
  double sum_of_squares = 0;
  for (unsigned trial = 0; trial < kNumFilters; ++trial) {
    const auto digest_of = [&](std::uint64_t value) {
      return digest_of_64_bits(mix64(value + 4096 * (trial + 1) * kGoldenGamma));
    };
    StandardFilter built(filter.spec);
    for (std::uint64_t key = 0; key < kNumKeys; ++key) {
      built.insert(digest_of(mix64(trial * kNumKeys + key) % 4096));
    }
    unsigned num_positive = 0;  // of every digest value that a query may have
    for (std::uint64_t value = 0; value < 4096; ++value) {
      num_positive += built.contains(digest_of(value)) ? 1 : 0;
    }
    const double rate = num_positive / 4096.0;
    sum += rate;
    sum_of_squares += rate * rate;
  }
  const double mean = sum / kNumFilters;
  const double deviation = std::sqrt((sum_of_squares / kNumFilters - mean * mean) / kNumFilters);
  // False-alarm probability 1e-6.
  CHECK(mean == Approx(predict(filter, kNumKeys).exact.value()).margin(4.9 * deviation));
  CHECK(ideal_rate(filter, kNumKeys) < mean / 20);
}

TEST_CASE("split_block: no two low halves set the same bits", "[variants][theory][exhaustive]") {
  // A bit number is the top 5 bits of the product of x and the salt. The bits of x and x + d
  // therefore agree in a lane only if the product of d and the salt is near 0.
  std::uint64_t num_near = 0;
  for (std::uint64_t d = 1; d < std::uint64_t{1} << 32U; ++d) {
    bool is_near = true;
    for (const std::uint32_t salt : block::kSalts) {
      const std::uint32_t product = static_cast<std::uint32_t>(d) * salt;
      is_near = product + 0x7ffffffU < 0xfffffffU;
      if (!is_near) break;
    }
    num_near += is_near ? 1 : 0;
  }
  CHECK(num_near == 0);
}

}  // namespace bloometry
