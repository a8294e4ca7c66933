#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/size/size_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

PointOptions for_rate(std::uint64_t n, double p) {
  PointOptions options;
  options.request.num_keys = n;
  options.request.rate = p;
  return options;
}

std::vector<std::string_view> variants_of_blocks() {
  std::vector<std::string_view> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    if (variant.sized_by_blocks) names.push_back(variant.name);
  }
  return names;
}

nlohmann::json size_json(PointOptions options, int expected_code = kDone) {
  options.json = true;
  const CapturedOutput output;
  CHECK(size_command(options) == expected_code);
  return nlohmann::json::parse(output.text());
}

/// Returns the reason for which the variant is refused, or an empty text. Other variants may have
/// answers.
std::string refusal_of(PointOptions options, std::string_view variant) {
  options.json = true;
  const CapturedOutput output;
  size_command(options);
  const nlohmann::json answer = nlohmann::json::parse(output.text());
  for (const nlohmann::json& row : answer.at("refusals")) {
    if (row.at("variant").get<std::string>() == variant) return row.at("because");
  }
  return "";
}

}  // namespace

TEST_CASE("size: every variant is sized for n and p and keeps p", "[cli][size]") {
  const nlohmann::json answer = size_json(for_rate(1'000'000, 0.01));
  CHECK(answer.at("answers").size() == all_variant_infos().size());
  CHECK(answer.at("refusals").empty());
  for (const auto& row : answer.at("answers")) {
    INFO(row.dump());
    CHECK(row.at("expected_false_positive_rate").get<double>() <= 0.01);
    const double guaranteed = row.at("guaranteed_false_positive_rate").get<double>();
    const double expected = row.at("expected_false_positive_rate").get<double>();
    CHECK(guaranteed <= 0.01);
    // The rate of some schemes is a model with a proven upper bound.
    const VariantInfo& variant = find_variant(row.at("variant").get<std::string>());
    if (!variant.schemes.front().why_not_exact.empty()) {
      CHECK(row.at("guaranteed_by") == "bound");
      CHECK(guaranteed > expected);
      CHECK(row.at("why_not_exact").is_string());
    } else {
      CHECK(row.at("guaranteed_by") != "model");
      CHECK(guaranteed == expected);
    }
  }
  CHECK(answer.at("answers").front().at("num_cells") == 9'592'957);
  CHECK(answer.at("answers").front().at("num_hashes") == 7);
}

TEST_CASE("size: only variants that meet the needs are sized", "[cli][size]") {
  PointOptions options = for_rate(1'000, 0.01);
  options.request.needs = {"erase"};
  const nlohmann::json answer = size_json(options);
  CHECK(answer.at("answers").size() == variants_that_can(Operation::kErase).size());
  CHECK(answer.at("refusals").front() ==
        nlohmann::json{{"variant", "standard"}, {"because", "cannot erase"}});

  SECTION("if no variant meets all needs, those that meet one are listed") {
    options.request.needs = {"grow", "cache-line"};
    CHECK(size_json(options, kAnswerIsNo).at("answers").empty());
    const CapturedOutput output;
    CHECK(size_command(options) == kAnswerIsNo);
    CHECK(output.text().find(
              "No variant meets all of these needs. These variants meet one of them:\n  grow: " +
              joined(variants_that_can(Operation::kGrow)) +
              "\n  cache-line: " + joined(variants_of_blocks()) + "\n") != std::string::npos);
    CHECK(output.text().find("cannot grow, cache-line") != std::string::npos);
  }
  SECTION("cache-line leaves the variants with blocks") {
    options.request.needs = {"merge", "cache-line"};
    const nlohmann::json blocks = size_json(options);
    std::vector<std::string_view> merging = variants_of_blocks();
    std::erase_if(merging, [](std::string_view variant) {
      return !find_variant(variant).can(Operation::kMerge);
    });
    REQUIRE(blocks.at("answers").size() == merging.size());
    CHECK(blocks.at("answers").at(0).at("variant") == "blocked");
    CHECK(blocks.at("answers").at(0).at("num_cells").get<std::uint64_t>() % 512 == 0);
    CHECK(blocks.at("answers").at(1).at("num_hashes") == 8);
  }
  SECTION("an unknown need is refused") {
    options.request.needs = {"speed"};
    CHECK_THROWS_AS(size_command(options), ConfigError);
  }
}

TEST_CASE("size: a variant that cannot answer gives the reason", "[cli][size]") {
  PointOptions options;
  options.request.num_keys = 1'000;
  options.request.num_bits = 8'000;
  const nlohmann::json answer = size_json(options);
  CHECK(answer.at("answers").size() ==
        all_variant_infos().size() - variants_that_can(Operation::kGrow).size());
  CHECK(answer.at("refusals").front().at("variant") == "scalable");
}

TEST_CASE("size: tiny rates, at k = 64, are answered or refused with their floor", "[cli][size]") {
  const std::vector<std::pair<std::uint64_t, double>> tiny = {
      {1'000'000, 1e-30}, {7'009'835'160, 1.4e-207}, {7, 1e-307}};
  for (const auto& [n, p] : tiny) {
    CAPTURE(n, p);
    const nlohmann::json answer = size_json(for_rate(n, p), kAnswerIsNo);
    CHECK(answer.at("refusals").size() == all_variant_infos().size());
    std::size_t num_floors = 0;
    for (const auto& row : answer.at("refusals")) {
      const auto because = row.at("because").get<std::string>();
      num_floors += because.find("p is below the floor of its rate") != std::string::npos ? 1 : 0;
    }
    CHECK(num_floors >= 4);
  }
}

TEST_CASE("size: split_block is refused for a rate below its collisions of 32 bits",
          "[cli][size]") {
  const nlohmann::json answer = size_json(for_rate(1'000'000, 1e-12));
  bool is_refused = false;
  for (const auto& row : answer.at("refusals")) is_refused |= row.at("variant") == "split_block";
  CHECK(is_refused);
  for (const auto& row : answer.at("answers")) {
    CAPTURE(row.dump());
    CHECK(row.at("expected_false_positive_rate").get<double>() <= 1e-12);
    CHECK(row.at("floor").at("rate").get<double>() < 1e-12);
  }
  PointOptions options = for_rate(1'000'000, 1e-12);
  options.variant = "split_block";
  options.emit = "cpp";
  const CapturedOutput output;
  CHECK(size_command(options) == kAnswerIsNo);
  CHECK(output.text().empty());
}

TEST_CASE("size: a rate that blocks cannot reach is refused", "[cli][size]") {
  PointOptions options = for_rate(7, GENERATE(5e-324, 1e-310, 1e-309, 1e-308));
  options.request.needs = {"cache-line"};
  CHECK(size_json(options, kAnswerIsNo).at("answers").empty());
}

TEST_CASE("size: if n, p and size contradict, the nearest answers are given", "[cli][size]") {
  PointOptions options = for_rate(50'000'000, 0.001);
  options.request.num_bits = std::uint64_t{64} << 23U;
  const nlohmann::json answer = size_json(options, kAnswerIsNo);
  CHECK(answer.at("refusals").size() == all_variant_infos().size());
  for (const auto& row : answer.at("refusals")) {
    INFO(row.dump(2));
    const nlohmann::json& nearest = row.at("nearest");
    // Each number of keys must be the largest that fits. A separate request must return the same
    // answer.
    const nlohmann::json& fitting = nearest.at("keys_that_fit");
    const auto most_keys = fitting.at("num_keys").get<std::uint64_t>();
    const auto is_sized = [&](std::uint64_t num_keys) {
      PointOptions requested = options;
      requested.request.num_keys = num_keys;
      const CapturedOutput output;
      requested.json = true;
      static_cast<void>(size_command(requested));
      const nlohmann::json answers = nlohmann::json::parse(output.text()).at("answers");
      return std::any_of(answers.begin(), answers.end(), [&](const nlohmann::json& sized) {
        return sized.at("variant") == row.at("variant");
      });
    };
    CHECK(is_sized(most_keys));
    CHECK_FALSE(is_sized(most_keys + 1));
    CHECK(nearest.at("size_needed").at("num_bits") > *options.request.num_bits);
    CHECK(nearest.at("size_needed").at("expected_false_positive_rate") <= 0.001);
    if (row.at("variant") == "scalable") continue;
    CHECK(nearest.at("rate_reached").at("expected_false_positive_rate") > 0.001);
    CHECK(nearest.at("rate_reached").at("num_keys") == 50'000'000);
  }
  const CapturedOutput output;
  CHECK(size_command(options) == kAnswerIsNo);
  CHECK(output.text().find("85.7 MiB          37,340,685                       0.005782       7") !=
        std::string::npos);
}

TEST_CASE("size: bits per key times n give the memory", "[cli][size]") {
  PointOptions options = for_rate(1'000, 0.5);
  options.request.bits_per_key = 9.6;
  CHECK(size_json(options).at("request").at("num_bits") == 9'600);
  SECTION("n is required") {
    options.request.num_keys.reset();
    CHECK_THROWS_WITH(size_command(options),
                      "-n must be given with --bits-per-key: the number of keys, like 1e6");
  }
  SECTION("another size is refused") {
    options.request.num_cells = 100;
    CHECK_THROWS_WITH(
        size_command(options),
        "--bits-per-key must be left out with -m or --memory: each determines the size");
  }
}

TEST_CASE("size: rate_at_twice_num_keys is the rate of the filter with twice the keys",
          "[cli][size]") {
  const nlohmann::json one = size_json(for_rate(100'000, 0.01)).at("answers").front();
  PointOptions twice;
  twice.request.num_keys = 200'000;
  twice.request.num_cells = one.at("num_cells").get<std::uint64_t>();
  twice.request.num_hashes = one.at("num_hashes").get<unsigned>();
  const nlohmann::json two = size_json(twice).at("answers").front();
  CHECK(one.at("rate_at_twice_num_keys") == two.at("guaranteed_false_positive_rate"));
}

TEST_CASE("size: a printed guaranteed rate is at most p", "[cli][size]") {
  for (const double p : {0.001, 0.0123456, 0.3}) {
    CAPTURE(p);
    const CapturedOutput output;
    CHECK(size_command(for_rate(12'345, p)) == kDone);
    const std::string text = output.text();
    std::size_t num_bounds = 0;
    for (std::size_t at = text.find("<= ", text.find("variant")); at != std::string::npos;
         at = text.find("<= ", at + 1)) {
      CHECK(std::stod(text.substr(at + 3)) <= p);
      ++num_bounds;
    }
    CHECK(num_bounds == all_variant_infos().size());
  }
}

TEST_CASE("size: the text is a table", "[cli][size]") {
  const CapturedOutput output;
  CHECK(size_command(for_rate(1'000'000, 0.01)) == kDone);
  CHECK(output.text().find("n = 1,000,000 keys, p <= 0.01") != std::string::npos);
  CHECK(output.text().find("9,592,957") != std::string::npos);
  CHECK(output.text().find("for bloometry theory NAME: guava, ") != std::string::npos);
}

TEST_CASE("size: a scheme of 128 bits reaches rates below the floor of 63 bits", "[cli][size]") {
  PointOptions options = for_rate(1'000'000, 1e-14);
  const nlohmann::json refused = size_json(options).at("refusals").front();
  CHECK(refused.at("variant") == "standard");
  CHECK(contains_text(refused.at("because").get<std::string>(),
                      "lowered by the scheme independent (--probes independent), which uses 128"));
  options.request.probes = "independent";
  const nlohmann::json answer = size_json(options);
  CHECK(answer.at("request").at("probes") == "independent");
  const nlohmann::json& standard = answer.at("answers").front();
  CHECK(standard.at("variant") == "standard");
  CHECK(standard.at("probes") == "independent");
  CHECK(standard.at("guaranteed_false_positive_rate").get<double>() <= 1e-14);
  CHECK(standard.at("floor").at("num_bits") == 128);
  CHECK(answer.at("answers").size() + answer.at("refusals").size() == all_variant_infos().size());
  const CapturedOutput output;
  CHECK(size_command(options) == kDone);
  CHECK(contains_text(output.text(), "p <= 1e-14, probes independent\n"));
  CHECK(contains_text(output.text(), "does not have the scheme independent, only lane_fields"));
}

TEST_CASE("size: a scheme that does not follow its model guarantees nothing", "[cli][size]") {
  PointOptions options = for_rate(1'000, 1e-6);
  options.request.probes = "double_mod";
  CHECK(contains_text(refusal_of(options, "standard"),
                      "the rate of the scheme double_mod at the size of independent probes, "));
  // The rate, 0.0100007, has the digits that distinguish it from p.
  PointOptions percent = for_rate(100'000, 0.01);
  percent.request.probes = "double_mod";
  CHECK(contains_text(refusal_of(percent, "standard"), ", 0.010001 by a model, is above p"));
  options.request.rate.reset();
  options.request.num_cells = 1'000'000;  // without p, no rate is too high
  for (const nlohmann::json& row : size_json(options).at("answers")) {
    CAPTURE(row.dump());
    CHECK(row.at("probes") == "double_mod");
    CHECK(row.at("guaranteed_false_positive_rate").is_null());
    CHECK(row.at("why_not_exact").is_string());
  }
}

TEST_CASE("size: a scheme that no variant has is refused with the schemes", "[cli][size]") {
  PointOptions options = for_rate(1'000, 0.01);
  options.request.probes = "nosuch";
  CHECK_THROWS_WITH(size_command(options),
                    Catch::Matchers::StartsWith("probes must be one of remix, independent, ") &&
                        Catch::Matchers::EndsWith("digest_words, got 'nosuch'"));
}

TEST_CASE("size: only variants that have the parameters are sized, by their values",
          "[cli][size]") {
  struct Case {
    std::vector<std::string> params;
    std::string variant;
    std::string name;  ///< a parameter
    double value;
    std::string field;  ///< a field of the answer that differs from that without parameters
  };

  const Case given = GENERATE(
      Case{{"counter_bits=3"}, "counting", "counter_bits", 3, "cell_bits"},
      Case{{"counter_bits=3"}, "d_left", "counter_bits", 3, "cell_bits"},
      Case{{"counter_bits=8", "increment_base=8"}, "variable_increment", "increment_base", 8, ""},
      Case{{"block_bits=256"}, "blocked", "block_bits", 256, "num_cells"},
      Case{{"bucket_cells=2"}, "cuckoo", "bucket_cells", 2, "num_cells"},
      Case{{"semi_sorting=1"}, "cuckoo", "semi_sorting", 1, "cell_bits"},
      Case{{"semi_sorting=0"}, "cuckoo", "semi_sorting", 0, ""},
      Case{{"max_capacity=1e7"}, "d_left", "max_capacity", 1e7, "cell_bits"},
      Case{{"stages=lanes"}, "scalable", "", 0, "num_cells"},
      Case{{"error_schedule=horizon", "max_capacity=1e7"},
           "scalable",
           "max_capacity",
           1e7,
           "num_cells"});
  CAPTURE(given.params, given.variant);
  const auto row_of = [&](const nlohmann::json& answer) {
    for (const nlohmann::json& row : answer.at("answers")) {
      if (row.at("variant") == given.variant) return row;
    }
    return nlohmann::json();
  };
  PointOptions options = for_rate(1'000'000, 0.01);
  const nlohmann::json plain = row_of(size_json(options));
  options.params = given.params;
  const nlohmann::json answer = size_json(options);
  const nlohmann::json row = row_of(answer);
  REQUIRE(row.is_object());
  CAPTURE(row.dump());
  CHECK(row.at("guaranteed_false_positive_rate").get<double>() <= 0.01);
  if (!given.name.empty()) {
    CHECK(row.at("params").at(given.name) == given.value);
    CHECK(answer.at("request").at("params").at(given.name) == given.value);
  }
  if (!given.field.empty()) CHECK(row.at(given.field) != plain.at(given.field));
  CHECK(answer.at("answers").size() + answer.at("refusals").size() == all_variant_infos().size());
  CHECK(contains_text(refusal_of(options, "standard"), "does not have the parameter"));
}

TEST_CASE("size: a variant without a parameter is refused with its own parameters", "[cli][size]") {
  PointOptions options = for_rate(1'000'000, 0.01);
  options.params = {"semi_sorting=1"};
  CHECK(refusal_of(options, "standard") == "does not have the parameter semi_sorting");
  CHECK(refusal_of(options, "counting") ==
        "does not have the parameter semi_sorting, only counter_bits, saturation");
  options.params = {"bucket_cells=4", "semi_sorting=1"};
  CHECK(refusal_of(options, "standard") ==
        "does not have the parameters bucket_cells, semi_sorting");
  const CapturedOutput output;
  CHECK(size_command(options) == kDone);
  CHECK(contains_text(output.text(), "p <= 0.01, bucket_cells = 4, semi_sorting = 1\n"));
  CHECK(contains_text(output.text(), "does not have the parameters bucket_cells, semi_sorting\n"));
}

TEST_CASE("size: a value that a variant rejects refuses only this variant", "[cli][size]") {
  PointOptions options = for_rate(1'000'000, 0.01);
  options.params = {"counter_bits=1"};
  CHECK(size_json(options).at("answers").front().at("variant") == "counting");
  CHECK(refusal_of(options, "d_left") == "counter_bits must be a whole number in [2, 8], got 1");
  options.params = {"bucket_cells=8", "semi_sorting=1"};
  CHECK(contains_text(refusal_of(options, "cuckoo"), "must be 0 unless bucket_cells is 4"));
  options.params = {"initial_capacity=1000"};
  CHECK(contains_text(refusal_of(options, "scalable"), "the first stage is sized for n"));
}

TEST_CASE("size: parameters that no variant accepts are errors", "[cli][size]") {
  PointOptions options = for_rate(1'000, 0.01);
  const auto error_with = [&](const std::vector<std::string>& params) {
    options.params = params;
    return message_of<ConfigError>([&] { static_cast<void>(size_command(options)); });
  };
  CHECK(error_with({"foo=4"}).starts_with("--param must be one of counter_bits, saturation, "));
  CHECK(error_with({"foo=4"}).ends_with(", got 'foo'"));
  CHECK(error_with({"num_hashes=4"}) ==
        "--param num_hashes must be given as -k; no variant has such a parameter");
  CHECK(error_with({"counter_bits=17"}) ==
        "--param counter_bits must be a whole number in [1, 16], got 17 (counting)");
  CHECK(contains_text(error_with({"counter_bits=x"}), "--param counter_bits must be a whole"));
  CHECK(error_with({"counter_bits"}) == "--param must be name=value, got 'counter_bits'");
  CHECK(error_with({"counter_bits=3", "counter_bits=4"}) ==
        "--param counter_bits must be given once, got 2 values");
}

TEST_CASE("size: too few options are an error", "[cli][size]") {
  PointOptions options;
  options.request.num_keys = 5;
  CHECK_THROWS_AS(size_command(options), ConfigError);
}
