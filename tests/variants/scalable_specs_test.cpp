#include "tests/variants/scalable_specs.hpp"

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
#include "variants/scalable/scalable_filter.hpp"

namespace bloometry::scalable_tests {

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

}  // namespace bloometry::scalable_tests
