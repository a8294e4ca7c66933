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
#include "tests/variants/scalable_specs.hpp"

namespace bloometry::scalable_tests {

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

}  // namespace bloometry::scalable_tests
