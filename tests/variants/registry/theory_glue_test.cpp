#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/error.hpp"
#include "core/rates/digest_width.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/probe_models.hpp"
#include "variants/blocked/blocked_rates.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"
#include "variants/scalable/scalable_filter.hpp"
#include "variants/scalable/scalable_stages.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {
namespace {

std::map<std::string, double> by_name(const Prediction& prediction) {
  std::map<std::string, double> rates;
  for (const NamedRate& named : prediction.approximations) {
    if (named.rate) rates.emplace(named.name, *named.rate);
  }
  return rates;
}

FilterSpec bits(std::uint64_t m, unsigned k) {
  return {.num_bits = m, .num_hashes = k};
}

FilterSpec counters(std::uint64_t m, unsigned k, Params params = {}) {
  return {.num_counters = m, .num_hashes = k, .params = std::move(params)};
}

FilterSpec scalable(Params params) {
  params.emplace("initial_capacity", 1000.0);
  params.emplace("tightening_ratio", 0.5);
  return {.target_false_positive_rate = 0.01, .params = std::move(params)};
}

const Params kExactPolicies = {{"stage_change", std::string("count")},
                               {"insert_policy", std::string("blind")}};

Approx close_to(double value) {
  return Approx(value).epsilon(1e-9).margin(0);
}

}  // namespace

TEST_CASE("theory: the standard filter has the reference rates at a million keys",
          "[variants][theory]") {
  const Prediction prediction = find_theory("standard").predict(bits(9585059, 7), kW, 1000000);
  CHECK(prediction.exact.value() == close_to(0.01003922361));
  CHECK(by_name(prediction).at("classic") == close_to(0.01003921456));
  CHECK(by_name(prediction).at("semi") == close_to(0.01003921705));
  CHECK(by_name(prediction).contains("goel_gupta_upper"));
  CHECK(by_name(prediction).at("second_order") == close_to(0.01003922361));
  CHECK(prediction.rate_stddev.value() == Approx(1.24014e-5).epsilon(1e-4));
  CHECK(prediction.expected_fill_ratio.value() == Approx(0.518).epsilon(1e-2));
}

TEST_CASE("theory: each model has its own exact rate", "[variants][theory]") {
  CHECK(find_theory("standard").expected_rate(bits(8, 2), kW, 2) == close_to(5825.0 / 32768));
  CHECK(find_theory("standard").expected_rate(bits(8, 2), kD, 2) == close_to(0.1619897959183673));
  CHECK(find_theory("partitioned").expected_rate(bits(8, 2), kP, 2) == close_to(0.19140625));
  CHECK(find_theory("partitioned").expected_rate(bits(8, 2), kP, 2) ==
        find_theory("partitioned").predict(bits(8, 2), kP, 2).exact.value());
  CHECK(find_theory("counting").expected_rate(counters(8, 2), kW, 2) == close_to(5825.0 / 32768));
}

TEST_CASE("theory: partitioned has its exact and the classic rate, and no formula of model W",
          "[variants][theory]") {
  const auto rates = by_name(find_theory("partitioned").predict(bits(100, 7), kP, 10));
  CHECK(rates.size() == 1);
  CHECK(rates.at("classic") == close_to(0.008193722066));
}

TEST_CASE("theory: variable_increment has an exact, a paper and a Poisson rate",
          "[variants][theory]") {
  const Params four = {{"increment_base", 4.0}};
  const Prediction prediction =
      find_theory("variable_increment").predict(counters(64, 3, four), kW, 10);
  CHECK(prediction.exact.value() == close_to(0.002988331067));
  CHECK(by_name(prediction).at("paper") == close_to(0.002935381330));
  CHECK(by_name(prediction).contains("poisson"));
  CHECK(find_theory("variable_increment").expected_rate(counters(5000, 4), kW, 1000) ==
        close_to(0.002042338991));
}

TEST_CASE("theory: scalable is exact for blind inserts by count, fluid otherwise",
          "[variants][theory]") {
  const VariantTheory& theory = find_theory("scalable");
  const Prediction exact = theory.predict(scalable(kExactPolicies), kP, 7000);
  CHECK(exact.exact.value() == close_to(0.006825380464));
  CHECK_FALSE(by_name(exact).contains("fluid"));
  CHECK(theory.fill_law(scalable(kExactPolicies), kP, 7000).has_value());
  CHECK(exact.expected_fill_ratio.value() == Approx(0.5).epsilon(1e-3));

  const Prediction fluid = theory.predict(scalable({}), kP, 6900);  // third stage, as for 7000
  CHECK_FALSE(fluid.exact.has_value());
  CHECK_FALSE(theory.fill_law(scalable({}), kP, 6900).has_value());
  CHECK(theory.expected_rate(scalable({}), kP, 6900) == by_name(fluid).at("fluid"));
  for (const Prediction& prediction : {exact, fluid}) {
    CHECK(by_name(prediction).at("design_bound") ==
          close_to(1 - (1 - 0.005) * (1 - 0.0025) * (1 - 0.00125)));
  }
}

TEST_CASE("theory: one stage of scalable varies like the partitioned filter in it",
          "[variants][theory]") {
  const ScalableStage stage = plan_stage({.target_rate = 0.01, .tightening_ratio = 0.5}, 0);
  const Prediction one = find_theory("scalable").predict(scalable(kExactPolicies), kP, 900);
  const Prediction partitioned =
      find_theory("partitioned").predict(bits(stage.num_bits(), stage.num_hashes), kP, 900);
  CHECK(one.rate_stddev.value() == close_to(partitioned.rate_stddev.value()));
  CHECK_FALSE(find_theory("scalable").predict(scalable({}), kP, 900).rate_stddev.has_value());
  CHECK(find_theory("scalable").predict(scalable(kExactPolicies), kP, 0).rate_stddev == 0.0);
}

TEST_CASE("theory: scalable with stages of blocks is exact by the sum over blocks of each",
          "[variants][theory]") {
  const std::string stages = GENERATE(as<std::string>(), "blocked", "lanes");
  Params params = kExactPolicies;
  params["stages"] = stages;
  StagePlan plan{.target_rate = 0.01, .tightening_ratio = 0.5};
  plan.stages = stages == "blocked" ? StageKind::kBlocked : StageKind::kLanes;
  double none = 1;
  double squares = 1;
  double ones = 0;
  double num_bits = 0;
  for (const auto& [index, keys] : {std::pair{0U, 1000U}, {1U, 2000U}, {2U, 3500U}}) {
    const ScalableStage stage = plan_stage(plan, index);
    const FilterSpec blocks{.num_blocks = stage.num_blocks, .num_hashes = stage.num_hashes};
    const Prediction alone =
        find_theory(stages).predict(blocks, stages == "blocked" ? kW : kP, keys);
    none *= 1 - *alone.exact;
    squares *= (1 - *alone.exact) * (1 - *alone.exact) + *alone.rate_stddev * *alone.rate_stddev;
    ones += *alone.expected_fill_ratio * static_cast<double>(stage.num_bits());
    num_bits += static_cast<double>(stage.num_bits());
  }
  const Prediction exact = find_theory("scalable").predict(scalable(params), kP, 6500);
  CHECK(exact.exact.value() == close_to(1 - none));
  CHECK(exact.expected_fill_ratio.value() == close_to(ones / num_bits));
  CHECK(*exact.rate_stddev * *exact.rate_stddev == Approx(squares - none * none).epsilon(1e-7));
  CHECK(by_name(exact).at("design_bound") >= *exact.exact);
  // A filter with 650 keys has too few blocks for a normal law. A filter with 60,000 keys has
  // enough blocks.
  CHECK_FALSE(find_theory("scalable").fill_law(scalable(params), kP, 650).has_value());
  const auto law = find_theory("scalable").fill_law(scalable(params), kP, 60'000);
  REQUIRE(law.has_value());
  CHECK(law->method() == theory::FillLaw::Method::kNormal);
  params.erase("insert_policy");
  CHECK_FALSE(find_theory("scalable").predict(scalable(params), kP, 6500).exact.has_value());
}

TEST_CASE("theory: two stages vary like two independent filters", "[variants][theory]") {
  // Because F = 1 - A B, Var(F) is E[A^2] E[B^2] - (E[A] E[B])^2, with a relative error of
  // 1e-16/Var(F).
  double second_moment = 1.0;
  double squared_mean = 1.0;
  for (unsigned i = 0; i < 2; ++i) {
    const ScalableStage stage = plan_stage({.target_rate = 0.01, .tightening_ratio = 0.5}, i);
    const Prediction alone =
        find_theory("partitioned")
            .predict(bits(stage.num_bits(), stage.num_hashes), kP, stage.capacity);
    const double misses = 1 - *alone.exact;
    second_moment *= misses * misses + *alone.rate_stddev * *alone.rate_stddev;
    squared_mean *= misses * misses;
  }
  const Prediction both = find_theory("scalable").predict(scalable(kExactPolicies), kP, 3000);
  CHECK(*both.rate_stddev * *both.rate_stddev ==
        Approx(second_moment - squared_mean).epsilon(1e-7));
}

TEST_CASE("theory: for many blocks the Poisson rate of each model is its exact rate",
          "[variants][theory]") {
  // The relative error of the limit law is of the order of 1e-4, the reciprocal of the number of
  // blocks. The two models differ by 5 %.
  for (const ProbeModel model : {kW, kD}) {
    const Prediction many = find_theory("blocked").predict(bits(512 * 10'000, 8), model, 400'000);
    CHECK(by_name(many).at("poisson") == Approx(*many.exact).epsilon(1e-3));
  }
}

TEST_CASE("theory: the law of the fill has the predicted mean in every scheme",
          "[variants][theory]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    if (variant.can(Operation::kGrow)) continue;
    FilterSpec spec{.num_hashes = std::clamp(3U, variant.min_num_hashes, variant.max_num_hashes)};
    set_size(spec, variant.cell_axis(), 1 << 20);
    if (variant.can(Operation::kTick)) spec.params["generation_capacity"] = 10'000.0;
    for (const SchemeInfo& scheme : variant.schemes) {
      const VariantTheory& theory = find_theory(variant.name);
      const auto law = theory.fill_law(spec, scheme.model, 60'000);
      CAPTURE(variant.name, scheme.name);
      // Every insert into a cuckoo table occupies a cell, so the number of cells has no law.
      REQUIRE(law.has_value() == (variant.name != "cuckoo"));
      if (!law) continue;
      const auto num_cells = static_cast<double>(variant.geometry(spec).num_cells);
      CHECK(law->mean() ==
            close_to(num_cells * *theory.predict(spec, scheme.model, 60'000).expected_fill_ratio));
    }
  }
}

TEST_CASE("theory: the rate given the counts equals that of the filter in every scheme",
          "[variants][theory]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    const VariantTheory& theory = find_theory(variant.name);
    if (theory.rate_given_counts == nullptr && theory.rate_range_given_counts == nullptr) continue;
    FilterSpec spec{.num_hashes = std::clamp(3U, variant.min_num_hashes, variant.max_num_hashes)};
    // If the variant has blocks, the filter has one block. The block then contains all ones of the
    // filter, so that the range is a single rate.
    set_size(spec, variant.cell_axis(), 128);
    for (const SchemeInfo& scheme : variant.schemes) {
      AnyFilter filter = scheme.make(spec);
      filter.insert(test::member_digests(20));
      const FilterState state = filter.state();
      const double rate = state.conditional_false_positive_rate;
      CAPTURE(variant.name, scheme.name, rate);
      if (theory.rate_given_counts != nullptr) {
        CHECK(theory.rate_given_counts(spec, scheme.model, state) == rate);
        continue;
      }
      const auto [least, most] = theory.rate_range_given_counts(spec, scheme.model, state);
      CHECK(least <= rate);
      CHECK(most >= rate);
      // In model P, the number of ones in each lane is unknown.
      if (scheme.model != kP) CHECK(least == Approx(most).epsilon(1e-12));
    }
  }
}

TEST_CASE("theory: the exact rate of stages with rates below 2^-64 is that of the filter's stages",
          "[variants][theory]") {
  const auto sizing = GENERATE(as<std::string>(), "half_fill", "tight");
  Params params = kExactPolicies;
  params["growth_factor"] = 1.0;
  params["initial_capacity"] = 50.0;
  params["slice_sizing"] = sizing;
  const FilterSpec spec{.target_false_positive_rate = 1e-19, .params = params};
  ScalableFilter filter(spec);
  for (const Digest& key : test::member_digests(4990)) filter.insert(key);
  REQUIRE(filter.num_stages() == 100);
  double rate = 0.0;
  double bound = 0.0;
  for (std::size_t i = 0; i < filter.num_stages(); ++i) {
    const StageView stage = filter.stage(i);
    const double miss = std::log1p(-1.0 / static_cast<double>(stage.slice_bits));
    const double fill = -std::expm1(static_cast<double>(stage.num_stored) * miss);
    rate += std::pow(fill, stage.num_hashes) * (1.0 - rate);
    bound += stage.error_rate * (1.0 - bound);
  }
  const Prediction prediction = find_theory("scalable").predict(spec, kP, 4990);
  CHECK(prediction.exact.value() == Approx(rate).epsilon(1e-12));
  CHECK(rate <= bound);
  CHECK(prediction.approximations.at(0).rate.value() == Approx(bound).epsilon(1e-12));
}

TEST_CASE("theory: more than 100,000 stages are refused", "[variants][theory]") {
  Params params = kExactPolicies;
  params["growth_factor"] = 1.0;
  params["initial_capacity"] = 1.0;
  const VariantTheory& theory = find_theory("scalable");
  SECTION("any schedule") {}
  SECTION("a horizon") {
    params["error_schedule"] = std::string("horizon");
    params["max_capacity"] = 1e9;
  }
  const std::string refusal =
      "initial_capacity and growth_factor must give at most 100000 stages for 100001 keys, got "
      "1 and 1, which give 100001 stages";
  CHECK_THROWS_WITH(theory.fill_law(scalable(params), kP, 100'001), refusal);
  CHECK_THROWS_WITH(theory.predict(scalable(params), kP, 100'001), refusal);
  CHECK_THROWS_WITH(theory.expected_rate(scalable(params), kP, 100'001), refusal);
}

TEST_CASE("theory: more than 10,000 blocked stages are refused", "[variants][theory]") {
  Params params = kExactPolicies;
  params["growth_factor"] = 1.0;
  params["initial_capacity"] = 1.0;
  params["stages"] = std::string("blocked");
  CHECK_THROWS_WITH(find_theory("scalable").expected_rate(scalable(params), kP, 10'001),
                    "initial_capacity and growth_factor must give at most 10000 stages for 10001 "
                    "keys, got 1 and 1, which give 10001 stages");
}

TEST_CASE("theory: every variant with an exact rate has a spread between filters",
          "[variants][theory]") {
  CHECK(find_theory("partitioned").predict(bits(1024, 7), kP, 100).rate_stddev > 0.0);
  CHECK(find_theory("counting").predict(counters(1024, 7), kW, 100).rate_stddev.value() ==
        Approx(0.000895805).epsilon(1e-5));  // theory 11.2
  CHECK(find_theory("counting").predict(counters(1024, 7), kD, 100).rate_stddev > 0.0);
  CHECK(find_theory("variable_increment").predict(counters(512, 4), kW, 100).rate_stddev > 0.0);
}

TEST_CASE("theory: filters of blocks have the reference rates", "[variants][theory]") {
  const auto exact = [](std::string_view variant, std::uint64_t n, std::uint64_t b, unsigned k,
                        const Params& params = {}, ProbeModel model = kW) {
    const FilterSpec spec{.num_blocks = b, .num_hashes = k, .params = params};
    const double rate = find_theory(variant).expected_rate(spec, model, n);
    CHECK(find_theory(variant).predict(spec, model, n).exact == rate);
    return rate;
  };
  // The expected rates are from theory 6.1 and 6.2.
  CHECK(exact("blocked", 1000, 16, 7) == close_to(0.02299313404));
  CHECK(exact("blocked", 1000, 20, 6) == close_to(0.008703898272));
  CHECK(exact("blocked", 1000, 20, 6, {}, kD) ==
        Approx(0.0085922854).epsilon(0).margin(5e-11));  // as printed
  CHECK(exact("blocked", 26214, 1024, 8, {{"block_bits", 256.0}}) == close_to(0.01216080966));
  CHECK(exact("split_block", 26214, 1024, 8, {}, kP) == close_to(0.01264412549));
  CHECK(exact("split_block", 100, 4, 8, {}, kP) == close_to(0.01053048953));
  // These rates are sum_i (-1)^i C(8,i) [1-(1-(63/64)^i)/b]^n, computed in rational numbers.
  CHECK(exact("lanes", 26214, 512, 8, {}, kP) == close_to(0.01048572796));
  CHECK(exact("lanes", 100, 2, 8, {}, kP) == close_to(0.008558687984));
  // The filter has 128 bits per block.
  for (const ProbeModel model : {kW, kD}) {
    const auto in_block =
        model == kD ? theory::InBlock::kDistinct : theory::InBlock::kWithReplacement;
    CHECK(exact("blocked_counting", 1000, 80, 6, {}, model) ==
          close_to(theory::blocked_rate(1000, 80, 128, 6, in_block)));
  }
}

TEST_CASE("theory: filters of blocks have the approximations that others use",
          "[variants][theory]") {
  const FilterSpec spec{.num_blocks = 20, .num_hashes = 6};
  const auto rates = by_name(find_theory("blocked").predict(spec, kW, 1000));
  CHECK(rates.at("classic") == close_to(theory::classic_rate(1000, 20 * 512, 6)));
  CHECK(rates.at("semi_in_block") ==
        close_to(theory::blocked_rate(1000, 20, 512, 6, theory::InBlock::kSemi)));
  CHECK(rates.at("classic_in_block") ==
        close_to(theory::blocked_rate(1000, 20, 512, 6, theory::InBlock::kClassic)));
  CHECK(rates.at("poisson") == close_to(theory::blocked_poisson_rate(10.24, 512, 6)));
  CHECK(by_name(find_theory("split_block").predict({.num_blocks = 40}, kP, 1024)).at("poisson") ==
        close_to(theory::split_block_poisson_rate(10)));
  CHECK(by_name(find_theory("lanes").predict({.num_blocks = 20}, kP, 1024)).at("poisson") ==
        close_to(theory::split_block_poisson_rate(10, {8, 64})));
}

TEST_CASE("theory: without keys the rate is 0", "[variants][theory]") {
  CHECK(find_theory("standard").expected_rate(bits(100, 3), kW, 0) == 0);
  CHECK(find_theory("standard").expected_rate(bits(100, 3), kD, 0) == 0);
  CHECK(find_theory("partitioned").expected_rate(bits(100, 3), kP, 0) == 0);
  CHECK(find_theory("counting").expected_rate(counters(100, 3), kW, 0) == 0);
  CHECK(find_theory("variable_increment").expected_rate(counters(100, 3), kW, 0) == 0);
  CHECK(find_theory("scalable").expected_rate(scalable({}), kP, 0) == 0);
  for (const VariantInfo& info : all_variant_infos()) {
    if (!info.sized_by_blocks) continue;
    const FilterSpec spec{.num_blocks = 4,
                          .num_hashes = std::clamp(8U, info.min_num_hashes, info.max_num_hashes)};
    const Prediction prediction =
        find_theory(info.name).predict(spec, info.schemes.front().model, 0);
    CHECK(prediction.exact == 0);
    CHECK(prediction.rate_stddev == 0);
    CHECK(prediction.expected_fill_ratio == 0);
    for (const NamedRate& named : prediction.approximations) CHECK(named.rate == 0);
  }
}

TEST_CASE("theory: the law of claims has the rate and the spread of the prediction",
          "[variants][theory]") {
  // With so few keys and hashes, the laws of filters without blocks are not mapped to a grid. A law
  // is the result of at most 8 convolutions, and each adds at most 1024^2 products.
  constexpr std::uint64_t kNumKeys = 30;
  constexpr double kRounding = 8 * 0x1p20 * 0x1p-53;
  for (const VariantInfo& info : all_variant_infos()) {
    const VariantTheory& theory = find_theory(info.name);
    if (theory.claim_law == nullptr) continue;
    FilterSpec spec{.num_hashes = std::clamp(2U, info.min_num_hashes, info.max_num_hashes)};
    // Words of 32 bits select a power of two blocks with equal probability, as a claim assumes.
    set_size(spec, info.sized_by_blocks ? SizeAxis::kNumBlocks : info.cell_axis(),
             info.sized_by_blocks ? 8 : 512);
    const Geometry geometry = info.geometry(spec);
    const Params params = info.resolved_params(spec);
    for (const SchemeInfo& scheme : info.schemes) {
      if (!scheme.follows_model) continue;
      CAPTURE(info.name, scheme.name);
      const theory::ClaimLaw law = theory.claim_law(scheme.model, kNumKeys, geometry, params);
      const Prediction prediction = theory.predict(spec, scheme.model, kNumKeys);
      // The law of split_block also contains the collisions of the 32 bits and of the 3 bits of the
      // block.
      const double collision =
          scheme.digest_bits.num == 32 ? digest_collision_rate(kNumKeys, 32 + 3) : 0;
      CHECK(law.expected_rate == collision + (1 - collision) * *prediction.exact);
      CHECK(law.expected_rate == theory.claim_rate(scheme.model, kNumKeys, geometry, params));
      CHECK(law.rates.mean() == Approx(law.expected_rate).epsilon(kRounding).margin(0));
      const double stddev = std::sqrt(law.rates.variance());
      const double predicted = (1 - collision) * *prediction.rate_stddev;
      // A bound is larger in the convex order, so that its variance is larger.
      if (law.is_bound) {
        CHECK(law.rate_stddev == predicted);
        CHECK(stddev > law.rate_stddev);
      } else {
        CHECK(law.rate_stddev == Approx(predicted).epsilon(kRounding).margin(0));
        CHECK(stddev == law.rate_stddev);
      }
      if (!law.has_fill_law) continue;
      const theory::FillLaw fill(scheme.model, kNumKeys, geometry.num_cells, geometry.num_hashes);
      CHECK(theory.fill_law(spec, scheme.model, kNumKeys)->mean() == fill.mean());
    }
  }
}

TEST_CASE("theory: more distinct probes than cells are refused as by the filter",
          "[variants][theory]") {
  CHECK_THROWS_AS(find_theory("standard").predict(bits(3, 4), kD, 1), ConfigError);
  CHECK_THROWS_AS(find_theory("counting").expected_rate(counters(3, 4), kD, 1), ConfigError);
  CHECK_NOTHROW(find_theory("standard").predict(bits(3, 4), kW, 1));
}

TEST_CASE("theory: a filter sized for a rate keeps it in every model", "[variants][theory]") {
  for (const VariantInfo& info : all_variant_infos()) {
    for (const double rate : {0.5, 0.1, 0.01, 1e-6}) {
      for (const std::uint64_t capacity : {1, 2, 10, 100, 10000}) {
        const FilterSpec spec{.capacity = capacity, .target_false_positive_rate = rate};
        const Geometry geometry = info.geometry(spec);
        for (const SchemeInfo& scheme : info.schemes) {
          if (!scheme.follows_model) continue;
          // A growing filter does not have an exact rate. scalable_filter_test.cpp tests the
          // guarantee of growing filters.
          const Prediction prediction =
              find_theory(info.name).predict(spec, scheme.model, capacity);
          CAPTURE(info.name, scheme.name, rate, capacity, geometry.num_cells, geometry.num_hashes);
          if (prediction.exact) CHECK(*prediction.exact <= rate);
        }
      }
    }
  }
}

TEST_CASE("theory: the expected rate rises with n", "[variants][theory]") {
  const FilterSpec spec{.capacity = 100, .target_false_positive_rate = 0.01};
  for (const VariantInfo& info : all_variant_infos()) {
    const ProbeModel model = info.schemes.front().model;
    double previous = 0;
    for (const std::uint64_t n : {1, 10, 50, 100, 150, 300, 1000}) {
      // A filter that forgets contains about as many keys after 150 inserts as after 1000.
      if (n > 100 && info.can(Operation::kTick)) continue;
      const double rate = find_theory(info.name).expected_rate(spec, model, n);
      CAPTURE(info.name, n);
      CHECK(rate >= previous);
      previous = rate;
    }
    CHECK(previous > 0);
  }
}

}  // namespace bloometry
