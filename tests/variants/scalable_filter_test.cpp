#include "variants/scalable/scalable_filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {
namespace {

FilterSpec spec_of(double rate, std::uint64_t initial_capacity, Params params = {}) {
  params.emplace("initial_capacity", static_cast<double>(initial_capacity));
  return {.target_false_positive_rate = rate, .params = std::move(params)};
}

const ParamValue kCount = std::string("count");
const ParamValue kBlind = std::string("blind");
const ParamValue kTight = std::string("tight");
const ParamValue kBlocked = std::string("blocked");
const ParamValue kLanes = std::string("lanes");
const ParamValue kHorizon = std::string("horizon");

template <class F>
void insert_all_of(F& filter, const std::vector<Digest>& keys) {
  for (const Digest& key : keys) filter.insert(key);
}

std::uint64_t num_ones_of_stage(const ScalableFilter& filter, std::size_t i,
                                std::string_view kind) {
  if (kind == "blocked") return filter.blocked_stage_filter(i).state().num_ones;
  if (kind == "lanes") return filter.lanes_stage_filter(i).state().num_ones;
  return filter.stage_filter(i).state().num_ones;
}

}  // namespace

TEST_CASE("scalable: k, slice bits and total bits of the stages are those of theory 4",
          "[variants][scalable]") {
  ScalableFilter filter(
      spec_of(0.01, 1000,
              {{"tightening_ratio", 0.5}, {"stage_change", kCount}, {"insert_policy", kBlind}}));
  insert_all_of(filter, test::member_digests(7000));
  REQUIRE(filter.num_stages() == 3);
  CHECK(filter.num_bits() == 95228);  // theory_reference.json, record 0687
  const unsigned num_hashes[] = {8, 9, 10};
  const std::uint64_t slice_bits[] = {1443, 2886, 5771};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(filter.stage(i).num_hashes == num_hashes[i]);
    CHECK(filter.stage(i).slice_bits == slice_bits[i]);
    CHECK(filter.stage(i).capacity == 1000U << i);
    CHECK(filter.stage(i).num_stored == 1000U << i);
  }
}

TEST_CASE("scalable: by count a stage closes at the insert after its n_i-th key",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.01, 100, {{"stage_change", kCount}, {"insert_policy", kBlind}}));
  const auto keys = test::member_digests(101);
  for (std::size_t i = 0; i < 100; ++i) filter.insert(keys[i]);
  CHECK(filter.num_stages() == 1);
  filter.insert(keys[100]);
  CHECK(filter.num_stages() == 2);
  CHECK(filter.stage(1).num_stored == 1);
}

TEST_CASE("scalable: by count with check-first, keys that test positive are not counted",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.3, 100, {{"stage_change", kCount}}));
  insert_all_of(filter, test::member_digests(2000));
  REQUIRE(filter.num_stages() > 2);
  for (std::size_t i = 0; i + 1 < filter.num_stages(); ++i) {
    CHECK(filter.stage(i).num_stored == filter.stage(i).capacity);
  }
}

TEST_CASE("scalable: by fill the slice product never exceeds 2^-k_i, in any filter",
          "[variants][scalable]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ScalableFilter filter(spec_of(0.05, 10));
    for (const Digest& key : test::member_digests(1500, seed)) {
      filter.insert(key);
      const auto newest = filter.stage(filter.num_stages() - 1);
      if (2 * newest.num_ones > newest.num_hashes * newest.slice_bits) FAIL("over half");
    }
    CHECK(filter.num_stages() > 5);
    double bound = 0;
    for (std::size_t i = 0; i < filter.num_stages(); ++i) {
      bound += std::exp2(-static_cast<double>(filter.stage(i).num_hashes)) * (1 - bound);
    }
    CHECK(filter.state().conditional_false_positive_rate <= bound);
    CHECK(filter.state().conditional_false_positive_rate <= 0.05);
  }
}

TEST_CASE("scalable: by fill every filter keeps its target for every schedule and slice sizing",
          "[variants][scalable]") {
  const auto schedule = GENERATE(as<std::string>(), "geometric", "quadratic", "horizon");
  const auto sizing = GENERATE(as<std::string>(), "half_fill", "tight");
  CAPTURE(schedule, sizing);
  Params params = {{"error_schedule", schedule}, {"slice_sizing", sizing}};
  if (schedule == "horizon") params.emplace("max_capacity", 1500.0);
  for (const double rate : {0.5, 0.1, 0.003}) {
    ScalableFilter filter(spec_of(rate, 20, params));
    for (const Digest& key : test::member_digests(4000)) {  // more keys than max_capacity
      filter.insert(key);
    }
    CHECK(filter.state().conditional_false_positive_rate <= rate);
  }
}

TEST_CASE("scalable: by fill every stage keeps its share P_i, also with tight slices",
          "[variants][scalable]") {
  const auto sizing = GENERATE(as<std::string>(), "half_fill", "tight");
  ScalableFilter filter(spec_of(0.01, 100, {{"slice_sizing", sizing}}));
  insert_all_of(filter, test::member_digests(20000));
  REQUIRE(filter.num_stages() > 6);
  for (std::size_t i = 0; i < filter.num_stages(); ++i) {
    CAPTURE(sizing, i, filter.stage(i).num_hashes, filter.stage(i).error_rate);
    CHECK(filter.stage_filter(i).state().conditional_false_positive_rate <=
          filter.stage(i).error_rate);
  }
}

TEST_CASE("scalable: a stage opens before a key that could exceed the bound",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.01, 50));
  const auto keys = test::member_digests(200);
  for (const Digest& key : keys) {
    const std::uint64_t before = filter.num_stages();
    const auto stage = filter.stage(before - 1);
    filter.insert(key);
    const bool could_pass =
        2 * (stage.num_ones + stage.num_hashes) > stage.num_hashes * stage.slice_bits;
    if (filter.num_stages() > before) CHECK(could_pass);
    if (filter.num_stages() == before && could_pass)
      CHECK(filter.stage(before - 1).num_stored <= 1);
  }
}

TEST_CASE("scalable: a blocked stage equals the blocked filter for its share of the rate",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(
      0.01, 1000, {{"stages", kBlocked}, {"stage_change", kCount}, {"insert_policy", kBlind}}));
  const auto keys = test::member_digests(2500);
  insert_all_of(filter, keys);
  REQUIRE(filter.num_stages() == 2);
  std::uint64_t num_bits = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const StageView stage = filter.stage(i);
    BlockedFilter expected(least_blocks(stage.capacity, stage.error_rate, 512));
    for (std::size_t key = 1000 * i; key < (i == 0 ? 1000 : keys.size()); ++key) {
      expected.insert(remix(keys[key], i));
    }
    CHECK(filter.blocked_stage_filter(i) == expected);
    CHECK(stage.num_ones == expected.state().num_ones);
    CHECK(stage.slice_bits == 0);
    num_bits += expected.num_bits();
  }
  CHECK(filter.num_bits() == num_bits);
  CHECK(ScalableFilter::num_bits_at(
            spec_of(0.01, 1000, {{"stages", kBlocked}, {"stage_change", kCount}}), 2500) ==
        num_bits);
}

TEST_CASE("scalable: by fill every blocked stage of every filter keeps its share P_i",
          "[variants][scalable]") {
  const auto schedule = GENERATE(as<std::string>(), "geometric", "quadratic", "horizon");
  Params params = {{"error_schedule", schedule}, {"stages", kBlocked}};
  if (schedule == "horizon") params.emplace("max_capacity", 1500.0);
  for (const double rate : {0.5, 0.1, 0.003}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      CAPTURE(schedule, rate, seed);
      ScalableFilter filter(spec_of(rate, 20, params));
      insert_all_of(filter, test::member_digests(4000, seed));
      REQUIRE(filter.num_stages() > 5);
      for (std::size_t i = 0; i < filter.num_stages(); ++i) {
        CHECK(filter.blocked_stage_filter(i).state().conditional_false_positive_rate <=
              filter.stage(i).error_rate);
      }
      CHECK(filter.state().conditional_false_positive_rate <= rate);
    }
  }
}

TEST_CASE("scalable: a blocked stage closes before a key whose bits could exceed P_i",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.05, 100, {{"stages", kBlocked}}));
  unsigned num_ended = 0;
  for (const Digest& key : test::member_digests(3000)) {
    const std::size_t i = filter.num_stages() - 1;
    const StageView stage = filter.stage(i);
    const BlockedFilter& blocks = filter.blocked_stage_filter(i);
    const unsigned ones = blocks.num_ones_in_block(remix(key, i));
    const auto part_of = [&](unsigned x) { return std::pow(x / 512.0, stage.num_hashes); };
    const double could_be = blocks.state().conditional_false_positive_rate +
                            (part_of(ones + stage.num_hashes) - part_of(ones)) /
                                static_cast<double>(blocks.num_blocks());
    const bool was_in = filter.contains(key);
    filter.insert(key);
    const bool has_ended = filter.num_stages() > i + 1;
    // All keys are so far from the bound that rounding does not matter.
    REQUIRE(std::abs(could_be - stage.error_rate) > 1e-12);
    if (!was_in) CHECK(has_ended == (could_be > stage.error_rate));
    num_ended += has_ended ? 1 : 0;
  }
  CHECK(num_ended > 3);
}

TEST_CASE("scalable: a lanes stage equals the lanes filter for its share of the rate",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(
      0.01, 1000, {{"stages", kLanes}, {"stage_change", kCount}, {"insert_policy", kBlind}}));
  const auto keys = test::member_digests(2500);
  insert_all_of(filter, keys);
  REQUIRE(filter.num_stages() == 2);
  std::uint64_t num_bits = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const StageView stage = filter.stage(i);
    LanesFilter expected(
        FilterSpec{.capacity = stage.capacity, .target_false_positive_rate = stage.error_rate});
    for (std::size_t key = 1000 * i; key < (i == 0 ? 1000 : keys.size()); ++key) {
      expected.insert(stage_digest(keys[key], stage_factors(i)));
    }
    CHECK(filter.lanes_stage_filter(i) == expected);
    CHECK(stage.num_ones == expected.state().num_ones);
    CHECK(stage.slice_bits == 0);
    num_bits += expected.num_bits();
  }
  CHECK(filter.num_bits() == num_bits);
  CHECK(ScalableFilter::num_bits_at(
            spec_of(0.01, 1000, {{"stages", kLanes}, {"stage_change", kCount}}), 2500) == num_bits);
}

TEST_CASE("scalable: by fill every lanes stage of every filter keeps its share P_i",
          "[variants][scalable]") {
  const auto schedule = GENERATE(as<std::string>(), "geometric", "quadratic", "horizon");
  Params params = {{"error_schedule", schedule}, {"stages", kLanes}};
  if (schedule == "horizon") params.emplace("max_capacity", 1500.0);
  for (const double rate : {0.5, 0.1, 0.003}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      CAPTURE(schedule, rate, seed);
      ScalableFilter filter(spec_of(rate, 20, params));
      insert_all_of(filter, test::member_digests(4000, seed));
      REQUIRE(filter.num_stages() > 5);
      for (std::size_t i = 0; i < filter.num_stages(); ++i) {
        CHECK(filter.lanes_stage_filter(i).state().conditional_false_positive_rate <=
              filter.stage(i).error_rate);
      }
      CHECK(filter.state().conditional_false_positive_rate <= rate);
    }
  }
}

TEST_CASE("scalable: a lanes stage closes before a key whose bits could exceed P_i",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.05, 100, {{"stages", kLanes}}));
  unsigned num_ended = 0;
  for (const Digest& key : test::member_digests(3000)) {
    const std::size_t i = filter.num_stages() - 1;
    const StageView stage = filter.stage(i);
    const LanesFilter& blocks = filter.lanes_stage_filter(i);
    double part = 1;
    double part_after = 1;
    for (const std::uint64_t word : blocks.words_of_block(stage_digest(key, stage_factors(i)))) {
      const int ones = std::popcount(word);
      part *= ones / 64.0;
      part_after *= std::min(ones + 1, 64) / 64.0;
    }
    const double could_be = blocks.state().conditional_false_positive_rate +
                            (part_after - part) / static_cast<double>(blocks.num_blocks());
    const bool was_in = filter.contains(key);
    filter.insert(key);
    const bool has_ended = filter.num_stages() > i + 1;
    // All keys are too far from the bound for rounding to matter.
    REQUIRE(std::abs(could_be - stage.error_rate) > 1e-12);
    if (!was_in) CHECK(has_ended == (could_be > stage.error_rate));
    num_ended += has_ended ? 1 : 0;
  }
  CHECK(num_ended > 3);
}

TEST_CASE("scalable: check-first does not store keys that test positive, blind stores all keys",
          "[variants][scalable]") {
  const auto keys = test::member_digests(3000);
  ScalableFilter check_first(spec_of(0.3, 100));
  ScalableFilter blind(spec_of(0.3, 100, {{"insert_policy", kBlind}}));
  std::uint64_t num_new = 0;
  for (const Digest& key : keys) num_new += check_first.insert(key) ? 1 : 0;
  insert_all_of(blind, keys);
  CHECK(check_first.state().num_stored == num_new);
  CHECK(num_new < 3000);
  CHECK(blind.state().num_stored == 3000);
  insert_all_of(check_first, keys);
  insert_all_of(blind, keys);
  CHECK(check_first.state().num_stored == num_new);
  CHECK(blind.state().num_stored == 6000);
}

TEST_CASE("scalable: batches open stages at the same keys as single inserts, for both policies",
          "[variants][scalable]") {
  const auto stages = GENERATE(as<std::string>(), "partitioned", "blocked", "lanes");
  for (const std::string change : {"fill", "count"}) {
    for (const std::string policy : {"check_first", "blind"}) {
      CAPTURE(stages, change, policy);
      ScalableFilter batch(spec_of(
          0.1, 7, {{"stages", stages}, {"stage_change", change}, {"insert_policy", policy}}));
      ScalableFilter single = batch;
      // Every fourth key repeats a recent or an old key.
      std::vector<Digest> keys = test::member_digests(3000);
      for (std::size_t i = 4; i < keys.size(); i += 4) {
        keys[i] = keys[i % 8 == 0 ? i / 2 : i - 3];
      }
      for (std::size_t first = 0, length = 1; first < keys.size(); first += length) {
        length = std::min<std::size_t>(1 + first % 150, keys.size() - first);
        const auto some = std::span(keys).subspan(first, length);
        std::uint64_t num_new = 0;
        for (const Digest& key : some) num_new += single.insert(key) ? 1 : 0;
        CHECK(insert_all(batch, some) == num_new);
      }
      CHECK(batch == single);
      CHECK(single.num_stages() > 6);
      REQUIRE(batch.num_stages() == single.num_stages());
      for (std::size_t i = 0; i < single.num_stages(); ++i) {
        CHECK(batch.stage(i).num_stored == single.stage(i).num_stored);
        CHECK(batch.stage(i).num_ones == single.stage(i).num_ones);
        CHECK(batch.stage(i).num_ones == num_ones_of_stage(batch, i, stages));
      }
    }
  }
}

TEST_CASE("scalable: insert returns true if no stage contained the key, for both policies",
          "[variants][scalable]") {
  ScalableFilter blind(spec_of(0.1, 20, {{"insert_policy", kBlind}}));
  const auto keys = test::member_digests(500);
  for (const Digest& key : keys) {
    const bool was_absent = !blind.contains(key);
    CHECK(blind.insert(key) == was_absent);
  }
  for (const Digest& key : keys) CHECK_FALSE(blind.insert(key));
}

TEST_CASE("scalable: stage i uses the digest of part i", "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.01, 3, {{"stage_change", kCount}, {"insert_policy", kBlind}}));
  const auto keys = test::member_digests(9);
  insert_all_of(filter, keys);
  REQUIRE(filter.num_stages() == 2);
  const auto second = filter.stage(1);
  PartitionedFilter expected(Geometry{second.num_hashes * second.slice_bits, 1, second.num_hashes});
  for (std::size_t i = 3; i < 9; ++i) expected.insert(remix(keys[i], 1));
  CHECK(filter.stage_filter(1) == expected);
}

TEST_CASE("scalable: the conditional rate combines the stages", "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.2, 50));
  insert_all_of(filter, test::member_digests(1000));
  double all_miss = 1;
  for (std::size_t i = 0; i < filter.num_stages(); ++i) {
    all_miss *= 1 - filter.stage_filter(i).state().conditional_false_positive_rate;
  }
  CHECK(filter.state().conditional_false_positive_rate == Approx(1 - all_miss).epsilon(1e-13));
  CHECK(filter.state().num_stages == filter.num_stages());
}

TEST_CASE("scalable: clear leaves one empty first stage", "[variants][scalable]") {
  const FilterSpec spec = spec_of(0.01, 10);
  ScalableFilter filter(spec);
  insert_all_of(filter, test::member_digests(300));
  REQUIRE(filter.num_stages() > 1);
  filter.clear();
  CHECK(filter == ScalableFilter(spec));
  CHECK(filter.state().num_stored == 0);
  insert_all_of(filter, test::member_digests(300));
  ScalableFilter fresh(spec);
  insert_all_of(fresh, test::member_digests(300));
  CHECK(filter == fresh);
}

TEST_CASE("scalable: the first capacity is the parameter, the requested capacity, or 10000",
          "[variants][scalable]") {
  const auto first_capacity = [](const FilterSpec& spec) {
    return ScalableFilter(spec).stage(0).capacity;
  };
  CHECK(first_capacity(spec_of(0.01, 7)) == 7);
  CHECK(first_capacity({.capacity = 500, .target_false_positive_rate = 0.01}) == 500);
  CHECK(first_capacity({.target_false_positive_rate = 0.01}) == 10000);
}

TEST_CASE("scalable: the geometry is that of the first stage", "[variants][scalable]") {
  const Geometry geometry = ScalableFilter::geometry(spec_of(0.01, 1000));
  CHECK(geometry.num_cells == ScalableFilter(spec_of(0.01, 1000)).num_bits());
  CHECK(geometry.num_hashes == 0);
}

TEST_CASE("scalable: invalid specs are refused", "[variants][scalable]") {
  CHECK_THROWS_WITH(ScalableFilter({.capacity = 9}),
                    "target_false_positive_rate must be given for scalable: a number in (0, 1)");
  CHECK_THROWS_AS(ScalableFilter({.target_false_positive_rate = 0.01, .num_bits = 9}), ConfigError);
  CHECK_THROWS_AS(ScalableFilter({.target_false_positive_rate = 0.01, .num_hashes = 9}),
                  ConfigError);
  CHECK_THROWS_AS(ScalableFilter({.capacity = 0, .target_false_positive_rate = 0.01}), ConfigError);
  for (const double rate : {0.0, 1.0, -1.0}) {
    CHECK_THROWS_AS(ScalableFilter({.target_false_positive_rate = rate}), ConfigError);
  }
  CHECK_THROWS_WITH(ScalableFilter(spec_of(0.01, 10, {{"error_schedule", kHorizon}})),
                    "max_capacity must be given with error_schedule horizon: a number of keys");
  CHECK_THROWS_AS(ScalableFilter(spec_of(0.01, 10, {{"max_capacity", 10.0}})), ConfigError);
  CHECK_THROWS_AS(ScalableFilter(spec_of(0.01, 10, {{"growth_factor", 0.5}})), ConfigError);
  CHECK_THROWS_AS(ScalableFilter(spec_of(0.01, 10, {{"tightening_ratio", 1.0}})), ConfigError);
  CHECK_THROWS_AS(
      ScalableFilter(spec_of(
          0.01, 10, {{"error_schedule", std::string("quadratic")}, {"initial_rate", 0.01}})),
      ConfigError);
}

TEST_CASE("scalable: parameters that blocked stages do not have are refused",
          "[variants][scalable]") {
  CHECK_THROWS_WITH(
      ScalableFilter(spec_of(0.01, 10, {{"stages", kBlocked}, {"slice_sizing", kTight}})),
      "slice_sizing must be half_fill, got tight: blocked stages do not have slices");
  CHECK_THROWS_WITH(
      BasicScalableFilter<IndependentProbes>(spec_of(0.01, 10, {{"stages", kBlocked}})),
      "stages must be partitioned with probes independent, got blocked, which has probes of its "
      "own");
  CHECK_THROWS_WITH(
      ScalableFilter(spec_of(0.01, 1000, {{"stages", kBlocked}, {"initial_rate", 0x1p-128}})),
      "error rate of a blocked stage must need at most 2^57 bits, got 2.938735877055719e-39, which "
      "needs more for 1000 keys");
}

TEST_CASE("scalable: parameters that lanes stages do not have are refused",
          "[variants][scalable]") {
  CHECK_THROWS_WITH(
      ScalableFilter(spec_of(0.01, 10, {{"stages", kLanes}, {"slice_sizing", kTight}})),
      "slice_sizing must be half_fill, got tight: lanes stages do not have slices");
  CHECK_THROWS_WITH(
      BasicScalableFilter<IndependentProbes>(spec_of(0.01, 10, {{"stages", kLanes}})),
      "stages must be partitioned with probes independent, got lanes, which has probes of its own");
  CHECK_THROWS_WITH(
      ScalableFilter(spec_of(0.01, 1000, {{"stages", kLanes}, {"initial_rate", 0x1p-128}})),
      "error rate of a lanes stage must need at most 2^57 bits, got 2.938735877055719e-39, which "
      "needs more for "
      "1000 keys");
}

TEST_CASE("scalable: batch queries of many lanes stages find the keys of each",
          "[variants][scalable]") {
  // With growth_factor 1, the filter has more stages than one call of the kernel accepts.
  ScalableFilter filter(spec_of(0.1, 20,
                                {{"stages", kLanes},
                                 {"growth_factor", 1.0},
                                 {"tightening_ratio", 0.9},
                                 {"stage_change", kCount},
                                 {"insert_policy", kBlind}}));
  const auto keys = test::member_digests(1000);
  insert_all_of(filter, keys);
  REQUIRE(filter.num_stages() == 50);
  CHECK(count_positives(filter, keys) == keys.size());
  const auto absent = test::nonmember_digests(5000);
  std::uint64_t num_positives = 0;
  for (const Digest& key : absent) num_positives += filter.contains(key) ? 1 : 0;
  CHECK(count_positives(filter, absent) == num_positives);
}

TEST_CASE("scalable: a new filter refuses an initial_rate below the rate of any stage",
          "[variants][scalable]") {
  const FilterSpec spec = spec_of(0.01, 1000, {{"initial_rate", 1e-60}});
  constexpr const char* kRefusal =
      "initial_rate must be at least 2^-128, the lowest rate of a stage, got 1e-60";
  CHECK_THROWS_WITH(ScalableFilter(spec), kRefusal);
  CHECK_THROWS_WITH(ScalableFilter::geometry(spec), kRefusal);
  CHECK(ScalableFilter(spec_of(0.01, 1000, {{"initial_rate", 0x1p-128}})).stage(0).error_rate ==
        0x1p-128);
}

TEST_CASE("scalable: initial_rate is the rate of the first stage", "[variants][scalable]") {
  CHECK(ScalableFilter(spec_of(0.01, 1000, {{"tightening_ratio", 0.5}})).stage(0).num_hashes == 8);
  CHECK(ScalableFilter(spec_of(0.01, 1000, {{"tightening_ratio", 0.5}, {"initial_rate", 0.01}}))
            .stage(0)
            .num_hashes == 7);
}

TEST_CASE("scalable: the initial capacity is the parameter, the capacity or the default",
          "[variants][scalable]") {
  FilterSpec spec{.target_false_positive_rate = 0.01};
  CHECK(ScalableFilter::initial_capacity(spec) == 10'000);
  spec.capacity = 70;
  CHECK(ScalableFilter::initial_capacity(spec) == 70);
  spec.params = {{"initial_capacity", 500.0}};
  CHECK(ScalableFilter::initial_capacity(spec) == 500);
  CHECK(ScalableFilter(spec).stage(0).capacity == 500);
}

TEST_CASE("scalable: num_bits_at predicts the memory after any number of keys",
          "[variants][scalable]") {
  const FilterSpec spec = spec_of(0.01, 100, {{"stage_change", kCount}, {"insert_policy", kBlind}});
  ScalableFilter filter(spec);
  CHECK(ScalableFilter::num_bits_at(spec, 0) == filter.num_bits());
  const auto keys = test::member_digests(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    filter.insert(keys[i]);
    REQUIRE(ScalableFilter::num_bits_at(spec, i + 1) == filter.num_bits());
  }
}

TEST_CASE("scalable: by fill, stages with rates below 2^-64 keep their share P_i",
          "[variants][scalable]") {
  const auto sizing = GENERATE(as<std::string>(), "half_fill", "tight");
  ScalableFilter filter(spec_of(
      1e-19, 50, {{"growth_factor", 1.0}, {"tightening_ratio", 0.5}, {"slice_sizing", sizing}}));
  const auto keys = test::member_digests(5000);
  insert_all_of(filter, keys);
  REQUIRE(filter.num_stages() > 80);
  for (std::size_t i = 0; i < filter.num_stages(); ++i) {
    INFO("stage " << i);
    REQUIRE(filter.stage(i).num_hashes <= 64);
    REQUIRE(filter.stage_filter(i).state().conditional_false_positive_rate <=
            filter.stage(i).error_rate);
  }
  CHECK(filter.stage(80).error_rate == kLeastStageRate);
  for (const Digest& key : keys) REQUIRE(filter.contains(key));
}

TEST_CASE("scalable: an insert that needs an impossible stage is refused and changes nothing",
          "[variants][scalable]") {
  // The second stage would need more than 2^57 bits.
  ScalableFilter filter(spec_of(1e-20, 1,
                                {{"stages", kLanes},
                                 {"initial_rate", 1e-20},
                                 {"tightening_ratio", 0.001},
                                 {"growth_factor", 1e6}}));
  const auto keys = test::member_digests(100);
  std::size_t num_inserted = 0;
  const auto insert_all = [&] {
    for (; num_inserted < keys.size(); ++num_inserted) filter.insert(keys[num_inserted]);
  };
  CHECK_THROWS_WITH(insert_all(), Catch::Matchers::StartsWith(
                                      "error rate of a lanes stage must need at most 2^57 bits"));
  REQUIRE(num_inserted > 0);
  const ScalableFilter before = filter;
  CHECK_THROWS_AS(filter.insert(keys[num_inserted]), ConfigError);
  CHECK(filter == before);
  CHECK(filter.state() == before.state());
  CHECK(filter.num_stages() == 1);
  for (std::size_t i = 0; i < num_inserted; ++i) CHECK(filter.contains(keys[i]));
}

TEST_CASE("scalable: a capacity above 2^53 is refused", "[variants][scalable]") {
  const auto spec = [](std::uint64_t capacity) {
    return FilterSpec{.capacity = capacity,
                      .target_false_positive_rate = 0.01,
                      .params = {{"error_schedule", kHorizon}, {"max_capacity", 10.0}}};
  };
  CHECK_NOTHROW(ScalableFilter(spec(std::uint64_t{1} << 53U)));
  CHECK_THROWS_WITH(ScalableFilter(spec((std::uint64_t{1} << 53U) + 1)),
                    "capacity must be at most 2^53 for scalable, got 9007199254740993");
}

TEST_CASE("scalable: a filter of a thousand stages with one key each works",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(
      0.1, 1, {{"growth_factor", 1.0}, {"tightening_ratio", 0.5}, {"slice_sizing", kTight}}));
  const auto keys = test::member_digests(1100);
  insert_all_of(filter, keys);
  CHECK(filter.num_stages() > 900);
  for (const Digest& key : keys) CHECK(filter.contains(key));
}

TEST_CASE("scalable: the estimate is the sum over the stages", "[variants][scalable]") {
  ScalableFilter filter({.capacity = 50, .target_false_positive_rate = 0.01});
  const auto keys = test::member_digests(1000);
  for (const Digest& key : keys) filter.insert(key);
  REQUIRE(filter.num_stages() > 2);
  double sum = 0;
  for (std::size_t i = 0; i < filter.num_stages(); ++i) {
    sum += filter.stage_filter(i).estimate_count();
  }
  CHECK(filter.estimate_count() == sum);
}

TEST_CASE("scalable: the estimate with blocked stages is the sum over the stages",
          "[variants][scalable]") {
  ScalableFilter filter(spec_of(0.01, 50, {{"stages", kBlocked}}));
  insert_all_of(filter, test::member_digests(1000));
  REQUIRE(filter.num_stages() > 2);
  double sum = 0;
  double none = 1;
  for (std::size_t i = 0; i < filter.num_stages(); ++i) {
    sum += filter.blocked_stage_filter(i).estimate_count();
    none *= 1 - filter.blocked_stage_filter(i).state().conditional_false_positive_rate;
  }
  CHECK(filter.estimate_count() == sum);
  CHECK(filter.state().conditional_false_positive_rate == Approx(1 - none).epsilon(1e-13));
}

}  // namespace bloometry
