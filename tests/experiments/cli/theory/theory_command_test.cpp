#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/experiments/cli/theory/theory_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/message_of.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// Returns the value of a golden record. The record contains a fraction ("29/512") or 20 digits.
double exact_value(const nlohmann::json& record) {
  if (record.contains("fraction") && record.at("fraction").is_string()) {
    const auto text = record.at("fraction").get<std::string>();
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
      return static_cast<double>(std::stold(text.substr(0, slash)) /
                                 std::stold(text.substr(slash + 1)));
    }
  }
  return std::stod(record.at("value_str").get<std::string>());
}

}  // namespace

TEST_CASE("theory: a million keys in 9585059 bits have the reference rates", "[cli][theory]") {
  const nlohmann::json answer = theory_json(point("standard", 1'000'000, 9'585'059, 7));
  CHECK(answer.at("variant") == "standard");
  CHECK(answer.at("params") == nlohmann::json::object());
  CHECK(answer.at("probe_model") == "W");
  CHECK(answer.at("num_cells") == 9'585'059);
  CHECK(answer.at("num_hashes") == 7);
  CHECK(relative_error(rate(answer, "exact"), 0.01003922361) < 1e-9);
  CHECK(relative_error(rate(answer, "classic"), 0.01003921456) < 1e-9);
  CHECK(relative_error(answer.at("expected_fill_ratio").get<double>(), 0.5182371581) < 1e-9);
}

TEST_CASE("theory: a printed rate is at most 1", "[cli][theory]") {
  const std::string variant = GENERATE(as<std::string>{}, "standard", "counting");
  SECTION("in JSON a larger value is null") {
    const nlohmann::json rates =
        theory_json(point(variant, 1, 4, 50)).at("expected_false_positive_rate");
    CHECK(rates.at("second_order").is_null());
    CHECK(rates.at("exact").get<double>() <= 1);
  }
  SECTION("in text a larger value is left out with the reason") {
    const CapturedOutput output;
    REQUIRE(theory_command(point(variant, 1, 9, 64)) == kDone);
    CHECK_FALSE(contains_text(output.text(), "1.0815"));
    CHECK(contains_text(output.text(), " -\n"));
    CHECK(contains_text(output.text(), "-: the formula gives more than 1 here"));
  }
  SECTION("for all small filters") {
    for (std::uint64_t m = 1; m <= 12; ++m) {
      for (const unsigned k : {1u, 2u, 7u, 30u, 64u}) {
        const nlohmann::json answer = theory_json(point(variant, 1 + m / 4, m, k));
        for (const auto& [name, value] : answer.at("expected_false_positive_rate").items()) {
          INFO(m << " cells, k = " << k << ": " << name << " " << value.dump());
          CHECK((value.is_null() || (value.get<double>() >= 0 && value.get<double>() <= 1)));
          CHECK((!value.is_null() || name == "second_order"));
        }
      }
    }
  }
}

TEST_CASE("theory: the rate of a table is exact only up to its number of cells", "[cli][theory]") {
  const std::string variant = GENERATE(as<std::string>{}, "cuckoo", "d_left");
  PointOptions options = point(variant, 160, 160, 2);
  const nlohmann::json full = theory_json(options);
  CHECK(full.at("expected").at("kind") == "exact");
  CHECK(full.at("expected").at("condition") == "no insert is refused");
  options.request.num_keys = 161;
  const nlohmann::json answer = theory_json(options);
  CHECK(answer.at("expected").at("kind") == "bound");
  CHECK(answer.at("expected").at("condition").is_null());
  CHECK(answer.at("expected").at("why_not_exact") ==
        "a table of 160 cells does not have room for n keys");
  for (const auto& [name, value] : answer.at("expected_false_positive_rate").items()) {
    CAPTURE(name);
    CHECK(value.is_null());
  }
  CHECK(answer.at("expected_fill_ratio").is_null());
  CHECK(answer.at("expected_rate_stddev").is_null());
  const CapturedOutput output;
  REQUIRE(theory_command(options) == kDone);
  CHECK(contains_text(output.text(), "\nrate, upper bound "));
  CHECK_FALSE(contains_text(output.text(), "rate, exact"));
  CHECK(contains_text(output.text(), "-: the formula is for a filter that contains all keys.\n"));
  CHECK_FALSE(contains_text(output.text(), "more than 1 here"));
}

// Checks every exact rate of a standard filter in models W, D and P, from theory.md 11.1 and 11.2
// (tests/golden/theory_reference.json).
TEST_CASE("theory: exact rates equal the theory reference in models W, D and P",
          "[cli][theory][golden]") {
  std::size_t num_tiny = 0;
  for (const auto& record : golden_records("theory_reference.json")) {
    if (record.at("quantity") != "fpr_exact") continue;
    const std::string variant = record.at("variant");
    if (variant != "standard" && variant != "partitioned") continue;
    const auto& params = record.at("params");
    if (params.size() != 3 || !params.contains("m")) continue;
    PointOptions options =
        point("standard", params.at("n").get<std::uint64_t>(), params.at("m").get<std::uint64_t>(),
              params.at("k").get<unsigned>());
    options.probe_model = record.at("model").get<std::string>();
    INFO(text_of(record));
    const bool is_tiny = *options.request.num_cells <= 64;
    // The reference is for ideal digests. The schemes of models W and P use 63 bits.
    const double floor =
        options.probe_model == "D" ? 0 : static_cast<double>(*options.request.num_keys) * 0x1p-63;
    const double collisions = floor / exact_value(record);
    CHECK(relative_error(rate(theory_json(options), "exact"), exact_value(record)) <
          (is_tiny ? 1e-12 : 1e-8) + collisions);
    num_tiny += is_tiny ? 1U : 0U;
    if (options.probe_model != "P") continue;
    options.variant = "partitioned";
    CHECK(relative_error(rate(theory_json(options), "exact"), exact_value(record)) <
          1e-8 + collisions);
  }
  CHECK(num_tiny >= 60);
}

TEST_CASE("theory: a variable-increment filter has its exact rate", "[cli][theory]") {
  PointOptions options = point("variable_increment", 10, 64, 3);
  options.params = {"increment_base=4"};
  const nlohmann::json answer = theory_json(options);
  CHECK(relative_error(rate(answer, "exact"), 0.002988331067) < 1e-9);
  CHECK(relative_error(rate(answer, "paper"), 0.002935381330) < 1e-9);
  CHECK(answer.at("params").at("increment_base") == 4);
  CHECK(answer.at("params").at("counter_bits") == 8);
}

TEST_CASE("theory: exact is null if the exact rate is unknown", "[cli][theory]") {
  PointOptions options;
  options.variant = "scalable";
  options.request.num_keys = 7'000;
  options.request.rate = 0.01;
  options.params = {"initial_capacity=1000", "tightening_ratio=0.5"};
  const nlohmann::json by_fill = theory_json(options);
  CHECK(by_fill.at("expected_false_positive_rate").at("exact").is_null());
  CHECK(rate(by_fill, "fluid") > 0);
  options.params.insert(options.params.end(), {"stage_change=count", "insert_policy=blind"});
  CHECK(relative_error(rate(theory_json(options), "exact"), 0.006825380464) < 1e-9);
}

TEST_CASE("theory: a growing filter reports its stages and bits", "[cli][theory]") {
  PointOptions options;
  options.variant = "scalable";
  options.request.rate = 0.01;
  options.params = {"initial_capacity=1000", "stage_change=count", "insert_policy=blind"};
  std::uint64_t least_bits = 0;
  // Three stages of 1000, 2000 and 4000 keys have room for 7000 keys in total.
  const std::vector<std::pair<std::uint64_t, int>> stages = {
      {0, 1}, {1'000, 1}, {1'001, 2}, {7'000, 3}, {7'001, 4}};
  for (const auto& [num_keys, num_stages] : stages) {
    CAPTURE(num_keys);
    options.request.num_keys = num_keys;
    const nlohmann::json answer = theory_json(options);
    CHECK(answer.at("num_stages") == num_stages);
    CHECK(answer.at("initial_capacity") == 1'000);
    CHECK(answer.at("num_bits").get<std::uint64_t>() >= least_bits);
    least_bits = answer.at("num_bits").get<std::uint64_t>();
  }
  CHECK(least_bits > 7'001 * 10);
  const CapturedOutput output;
  CHECK(theory_command(options) == kDone);
  CHECK(
      output.text().find("7,001 keys, target rate 0.01, initial capacity 1,000 keys, 4 stages, ") !=
      std::string::npos);
  options.params.clear();
  CHECK(theory_json(options).at("initial_capacity") == 10'000);
  CHECK_FALSE(theory_json(point("standard", 100, 1'000, 7)).contains("initial_capacity"));
}

TEST_CASE("theory: several variants are printed in the order of the list", "[cli][theory]") {
  PointOptions options = point("standard", 10'000, 100'352, 7);
  options.variant = "blocked,standard";
  const nlohmann::json answers = theory_json(options);
  REQUIRE(answers.size() == 2);
  for (const char* name : {"blocked", "standard"}) {
    PointOptions alone = options;
    alone.variant = name;
    CHECK(answers[std::string(name) == "standard" ? 1 : 0] == theory_json(alone));
  }
  const CapturedOutput output;
  REQUIRE(theory_command(options) == kDone);
  CHECK(output.text().starts_with("blocked, probes bit_fields, "));
  CHECK(output.text().find("\n\nstandard, probes remix, ") != std::string::npos);
}

TEST_CASE("theory: every printed formula is explained", "[cli][theory]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    PointOptions options;
    options.variant = variant.name;
    options.request.num_keys = 1'000;
    options.request.rate = 0.01;
    const CapturedOutput output;
    REQUIRE(theory_command(options) == kDone);
    const std::string text = output.text();
    std::size_t num_formulas = 0;
    for (std::size_t at = text.find("\nrate, "); at != std::string::npos;
         at = text.find("\nrate, ", at + 1)) {
      const std::size_t begin = at + std::string("\nrate, ").size();
      const std::string name = text.substr(begin, text.find(' ', begin) - begin);
      CAPTURE(variant.name, name);
      CHECK((name == "exact" || text.find("\n" + name + ": ") != std::string::npos));
      ++num_formulas;
    }
    // The rates over a generation are printed for filters that forget.
    CHECK(num_formulas >= (variant.can(Operation::kTick) ? 1U : 2U));
    CHECK((text.find("\nmean rate over a generation ") != std::string::npos) ==
          variant.can(Operation::kTick));
  }
}

TEST_CASE("theory: numbers are printed so that they read back exactly", "[cli][theory]") {
  const PointOptions options = point("standard", 50, 512, 7);
  const double printed = rate(theory_json(options), "exact");
  CHECK(relative_error(printed, 0.007430423489) < 1e-9);
  PointOptions as_json = options;
  as_json.json = true;
  const CapturedOutput output;
  theory_command(as_json);
  CHECK(output.text().find("0.00743042348") != std::string::npos);
}

TEST_CASE("theory: the size follows from bits per key or from the rate, with the best k",
          "[cli][theory]") {
  PointOptions options;
  options.variant = "counting";
  options.request.num_keys = 1'000;
  options.request.bits_per_key = 40;
  const nlohmann::json by_memory = theory_json(options);
  CHECK(by_memory.at("num_cells") == 10'000);
  CHECK(by_memory.at("num_bits") == 40'000);
  CHECK(by_memory.at("num_hashes") == 7);

  options.variant = "standard";
  options.request.bits_per_key.reset();
  options.request.num_keys = 3'000;
  options.request.rate = 0.03;
  const nlohmann::json by_rate = theory_json(options);
  CHECK(by_rate.at("num_cells") == 21'898);
  CHECK(by_rate.at("num_hashes") == 5);
  CHECK(rate(by_rate, "exact") <= 0.03);
}

TEST_CASE("theory: the size is given in blocks", "[cli][theory]") {
  PointOptions options;
  options.request.num_keys = 1'000;
  options.request.num_blocks = 40;
  options.request.num_hashes = 8;
  SECTION("blocks of 512 bits") {
    options.variant = "blocked";
    CHECK(theory_json(options) == theory_json(point("blocked", 1'000, 40 * 512, 8)));
  }
  SECTION("blocks whose size is a parameter") {
    options.variant = "blocked";
    options.params = {"block_bits=256"};
    PointOptions in_bits = point("blocked", 1'000, 40 * 256, 8);
    in_bits.params = options.params;
    CHECK(theory_json(options) == theory_json(in_bits));
  }
  SECTION("blocks of counters") {
    options.variant = "blocked_counting";
    const nlohmann::json answer = theory_json(options);
    CHECK(answer.at("num_bits") == 40 * 512);
  }
  SECTION("refused for a filter without blocks") {
    options.variant = "standard";
    CHECK(message_of<ConfigError>([&] { theory_command(options); }) ==
          "num_blocks must be left out for standard, which does not have blocks; give -m, "
          "--bits-per-key or -p");
  }
  SECTION("refused for a growing filter") {
    options.variant = "scalable";
    options.request.num_hashes.reset();
    CHECK_THROWS_AS(theory_command(options), ConfigError);
  }
}

TEST_CASE("theory: the text is a table", "[cli][theory]") {
  const CapturedOutput output;
  CHECK(theory_command(point("standard", 1'000'000, 9'585'059, 7)) == kDone);
  CHECK(output.text().find("1,000,000 keys, m = 9,585,059 bits (1.143 MiB), k = 7") !=
        std::string::npos);
  CHECK(output.text().find("rate, exact                       0.01003922361\n") !=
        std::string::npos);
}

TEST_CASE("theory: a rate below the floor of 63 bits is printed as the floor", "[cli][theory]") {
  const PointOptions options = point("standard", 1'000'000, 154'126'259, 64);
  const CapturedOutput output;
  CHECK(theory_command(options) == kDone);
  CHECK(contains_text(output.text(), "rate, exact                     1.084202172e-13\n"));
  CHECK(contains_text(output.text(), "floor of the rate: 1.084e-13"));
  CHECK(contains_text(output.text(), "lowered by the scheme independent (--probes independent), "));
}

TEST_CASE("theory: the rate is that of the requested scheme", "[cli][theory]") {
  PointOptions options = point("standard", 1'000'000, 154'126'259, 64);
  options.request.probes = "independent";
  const nlohmann::json independent = theory_json(options);
  CHECK(independent.at("probes") == "independent");
  CHECK(independent.at("expected").at("floor").at("num_bits") == 128);
  CHECK(rate(independent, "exact") < 1e-27);
  {
    const CapturedOutput output;
    CHECK(theory_command(options) == kDone);
    CHECK(contains_text(output.text(), "standard, probes independent, probe model W"));
  }
  SECTION("distinct probes are of model D") {
    options.request.probes = "distinct";
    CHECK(theory_json(options).at("probe_model") == "D");
  }
  SECTION("double hashing has a model of its rate") {
    options.request.probes = "double_mod";
    const nlohmann::json answer = theory_json(options);
    CHECK(answer.at("expected").at("kind") == "model");
    CHECK(answer.at("expected").at("rate").get<double>() > rate(independent, "exact"));
  }
  SECTION("an unknown rate is not a number") {
    options = point("blocked", 1'000, 51'200, 7);
    options.request.probes = "double_mod_odd";
    CHECK(theory_json(options).at("expected").is_null());
    const CapturedOutput output;
    CHECK(theory_command(options) == kDone);
    CHECK(contains_text(output.text(), "unknown: the probes of the scheme double_mod_odd do not"));
  }
  SECTION("a model without a scheme has none") {
    options.request.probes.clear();
    options.probe_model = "P";
    CHECK(theory_json(options).at("probes").is_null());
  }
}

TEST_CASE("theory: the rate of a model is not called exact", "[cli][theory]") {
  PointOptions options = point("split_block", 1000, 16384, 8);
  const CapturedOutput output;
  CHECK(theory_command(options) == kDone);
  CHECK(contains_text(output.text(), "rate, model of independent lanes"));
  CHECK_FALSE(contains_text(output.text(), "rate, exact"));
  options.json = true;
  const CapturedOutput json_output;
  CHECK(theory_command(options) == kDone);
  const auto printed = nlohmann::json::parse(json_output.text());
  CHECK(printed.at("expected_false_positive_rate").at("exact").is_null());
  CHECK(printed.at("expected").at("kind") == "model");
  CHECK(printed.at("expected").at("floor").at("name") == "block_bits");
}
