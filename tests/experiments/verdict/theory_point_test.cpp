#include "experiments/verdict/theory_point.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("theory_point: the spec is rebuilt from the columns of a row", "[verdict]") {
  TrialRow row{.unit = "0",
               .variant = "counting",
               .keys = "random",
               .hash = "xxh3",
               .probes = "distinct",
               .params = R"({"counter_bits":6,"saturation":"sticky"})",
               .num_inserted = 10,
               .num_bits = 600,
               .num_counters = 100,
               .num_hashes = 3};
  const TheoryPoint point = theory_point(row, 7);
  CHECK(point.num_keys == 7);
  CHECK(point.model == ProbeModel::kDistinct);
  CHECK(point.spec.num_counters == 100);
  CHECK_FALSE(point.spec.num_bits);
  CHECK(point.spec.num_hashes == 3U);
  CHECK(number_param(point.spec.params, "counter_bits") == 6);

  SECTION("a filter without counters by its bits") {
    row.variant = "standard";
    row.num_counters.reset();
    CHECK(theory_point(row, 7).spec.num_bits == 600);
  }
  SECTION("one that grows by its target rate") {
    row.variant = "scalable";
    row.probes = "remix";
    row.num_counters.reset();
    row.num_hashes.reset();
    row.target_false_positive_rate = 0.25;
    const TheoryPoint growing = theory_point(row, 7);
    CHECK(growing.model == ProbeModel::kPartitioned);
    CHECK(growing.spec.target_false_positive_rate == 0.25);
    CHECK_FALSE(growing.spec.num_bits);
  }
}

TEST_CASE("theory_point: params are numbers, texts and lists", "[verdict]") {
  const Params params = params_from_text(R"({"a":1.5,"b":"x","c":[8,12]})");
  CHECK(number_param(params, "a") == 1.5);
  CHECK(text_param(params, "b") == "x");
  CHECK(to_string(params.at("c")) == "[8,12]");
  CHECK_THROWS_AS(params_from_text("{"), ConfigError);
  CHECK_THROWS_AS(params_from_text(R"({"a":{}})"), ConfigError);
}
