#include "experiments/cli/theory/foreign_theory.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/experiments/cli/theory/theory_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

TEST_CASE("theory: a filter of another program has its m, its k and the classic rate",
          "[cli][theory]") {
  PointOptions options;
  options.variant = "guava";
  options.request.num_keys = 1'000'000;
  options.request.rate = 0.01;
  const nlohmann::json answer = theory_json(options);
  CHECK(answer.at("format") == "guava");
  CHECK(answer.at("num_bits") == 9'585'088);
  CHECK(answer.at("num_hashes") == 7);
  CHECK(relative_error(rate(answer, "classic"), 0.01003907021) < 1e-9);
  CHECK(answer.at("expected_false_positive_rate").at("exact").is_null());
  CHECK(contains_text(answer.at("why_no_exact_rate"), "probes are double hashing"));
  SECTION("also the exact rate if it follows a model") {
    options.variant = "go_seeded";
    const nlohmann::json seeded = theory_json(options);
    const nlohmann::json standard = theory_json(point("standard", 1'000'000, 9'585'059, 7));
    // The indices of go_seeded do not share a digest, so that only `standard` has collisions.
    CHECK(rate(standard, "exact") - rate(seeded, "exact") ==
          Approx(1e6 * 0x1p-63 * (1 - rate(seeded, "exact"))).epsilon(0.05));
    CHECK_FALSE(seeded.contains("why_no_exact_rate"));
    CHECK(seeded.at("exact_for") == "keys of more than 8 bytes, or an odd number of bits");
  }
  SECTION("for a given m and k") {
    options.variant = "php3";
    options.request.rate.reset();
    options.request.num_cells = 819'200;
    CHECK(theory_json(options).at("num_hashes") == 3);
    options.request.num_cells.reset();
    options.request.num_bits = 819'200;
    CHECK(theory_json(options).at("num_bits") == 819'200);
  }
  SECTION("and the reason in text") {
    const CapturedOutput output;
    REQUIRE(theory_command(options) == kDone);
    CHECK(contains_text(output.text(), "m = 9,585,088 bits (1.143 MiB), k = 7\n"));
    CHECK(contains_text(output.text(), "because probes are double hashing"));
  }
}

TEST_CASE("theory: a chain of RedisBloom names its initial capacity", "[cli][theory]") {
  PointOptions options;
  options.variant = "redisbloom";
  options.request.num_keys = 5'000;
  options.request.rate = 0.01;
  CHECK(theory_json(options).at("initial_capacity") == 5'000);
  {
    const CapturedOutput output;
    REQUIRE(theory_command(options) == kDone);
    CHECK(contains_text(output.text(), ", p = 0.01, initial capacity 5,000 keys, m = "));
  }
  options.variant = "guava";
  CHECK_FALSE(theory_json(options).contains("initial_capacity"));
  options.variant = "redisbloom";
  options.request.rate.reset();
  options.request.num_cells = 64'000;  // the size does not determine the capacity
  options.request.num_hashes = 7;
  CHECK_FALSE(theory_json(options).contains("initial_capacity"));
}

TEST_CASE("theory: options of variants are refused for a filter of another program",
          "[cli][theory]") {
  PointOptions options;
  options.variant = "guava";
  options.request.num_keys = 1000;
  options.request.rate = 0.01;
  const auto refuses = [&](const std::string& text) {
    CHECK(contains_text(
        message_of<ConfigError>([&] { static_cast<void>(theory_command(options)); }), text));
  };
  SECTION("a parameter and a model") {
    options.params = {"counter_bits=4"};
    options.probe_model = "W";
    options.request.probes = "remix";
    refuses("--param must be left out with guava, a format of another program");
    refuses("--probe-model must be left out with guava");
    refuses("--probes must be left out with guava");
  }
  SECTION("k beside p") {
    options.request.num_hashes = 3;
    refuses("num_hashes must be left out with -p, which determines this value");
  }
  SECTION("m without k") {
    options.request.rate.reset();
    options.request.num_cells = 128;
    refuses("num_hashes must be given with -m: the number of hashes");
  }
  SECTION("no n, or no size") {
    options.request.num_keys.reset();
    refuses("num_keys must be given: the number of keys, like 1e6");
    options.request.num_keys = 5;
    options.request.rate.reset();
    refuses("exactly one of -m and -p must be given, got none");
  }
  SECTION("a chart") {
    TheoryChartOptions chart;
    chart.file = "never.svg";
    CHECK_THROWS_WITH(theory_chart_command(options, chart),
                      "--chart must be left out with guava, a format of another program");
  }
  SECTION("a name that neither has") {
    options.variant = "nosuch";
    refuses("variant must be one of standard, ");
    refuses("or a format of another program, guava, ");
    refuses("parquet_sbbf, dcso, got 'nosuch'");
    options.variant = "splitblock";
    refuses("got 'splitblock'; did you mean split_block?");
    options.variant = "guavva";
    refuses("got 'guavva'; did you mean guava?");
  }
}
