#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/variants/scalable_specs.hpp"
#include "variants/scalable/scalable_filter.hpp"

namespace bloometry::scalable_tests {

namespace {

/// Checks that each stage of a filter equals a filter of the stage's keys.
/// @param empty returns the empty filter with the size of a stage
/// @param digest_in returns the digest of a key in stage i
/// @param filter_of returns the filter of stage i
void check_stage_filters(const ParamValue& stages, auto empty, auto digest_in, auto filter_of) {
  ScalableFilter filter(spec_of(
      0.01, 1000, {{"stages", stages}, {"stage_change", kCount}, {"insert_policy", kBlind}}));
  const auto keys = test::member_digests(2500);
  insert_all_of(filter, keys);
  REQUIRE(filter.num_stages() == 2);
  std::uint64_t num_bits = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const StageView stage = filter.stage(i);
    auto expected = empty(stage);
    for (std::size_t key = 1000 * i; key < (i == 0 ? 1000 : keys.size()); ++key) {
      expected.insert(digest_in(keys[key], i));
    }
    CHECK(filter_of(filter, i) == expected);
    CHECK(stage.num_ones == expected.state().num_ones);
    CHECK(stage.slice_bits == 0);
    num_bits += expected.num_bits();
  }
  CHECK(filter.num_bits() == num_bits);
  CHECK(ScalableFilter::num_bits_at(
            spec_of(0.01, 1000, {{"stages", stages}, {"stage_change", kCount}}), 2500) == num_bits);
}

/// Checks that the rate given the state of each stage is at most its share P_i.
/// @param filter_of returns the filter of stage i
void check_shares_of_stages(const ParamValue& stages, auto filter_of) {
  const auto schedule = GENERATE(as<std::string>(), "geometric", "quadratic", "horizon");
  Params params = {{"error_schedule", schedule}, {"stages", stages}};
  if (schedule == "horizon") params.emplace("max_capacity", 1500.0);
  for (const double rate : {0.5, 0.1, 0.003}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      CAPTURE(schedule, rate, seed);
      ScalableFilter filter(spec_of(rate, 20, params));
      insert_all_of(filter, test::member_digests(4000, seed));
      REQUIRE(filter.num_stages() > 5);
      for (std::size_t i = 0; i < filter.num_stages(); ++i) {
        CHECK(filter_of(filter, i).state().conditional_false_positive_rate <=
              filter.stage(i).error_rate);
      }
      CHECK(filter.state().conditional_false_positive_rate <= rate);
    }
  }
}

const BlockedFilter& blocked_stage(const ScalableFilter& filter, std::size_t i) {
  return filter.blocked_stage_filter(i);
}

const LanesFilter& lanes_stage(const ScalableFilter& filter, std::size_t i) {
  return filter.lanes_stage_filter(i);
}

}  // namespace

TEST_CASE("scalable: a blocked stage equals the blocked filter for its share of the rate",
          "[variants][scalable]") {
  check_stage_filters(
      kBlocked,
      [](const StageView& stage) {
        return BlockedFilter(least_blocks(stage.capacity, stage.error_rate, 512));
      },
      [](const Digest& key, std::size_t i) { return remix(key, i); }, blocked_stage);
}

TEST_CASE("scalable: a lanes stage equals the lanes filter for its share of the rate",
          "[variants][scalable]") {
  check_stage_filters(
      kLanes,
      [](const StageView& stage) {
        return LanesFilter(
            FilterSpec{.capacity = stage.capacity, .target_false_positive_rate = stage.error_rate});
      },
      [](const Digest& key, std::size_t i) { return stage_digest(key, stage_factors(i)); },
      lanes_stage);
}

TEST_CASE("scalable: by fill every blocked stage of every filter keeps its share P_i",
          "[variants][scalable]") {
  check_shares_of_stages(kBlocked, blocked_stage);
}

TEST_CASE("scalable: by fill every lanes stage of every filter keeps its share P_i",
          "[variants][scalable]") {
  check_shares_of_stages(kLanes, lanes_stage);
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

}  // namespace bloometry::scalable_tests
