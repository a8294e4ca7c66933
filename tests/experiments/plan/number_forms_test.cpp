// Every form of a number is read as the same number on the command line, in a config, in a list and
// as a parameter, and the JSON Schema of configs allows it.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "experiments/plan/axis_values.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/plan/config_value.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/param_value.hpp"
#include "experiments/text/quantity.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53U;
constexpr Interval kAll = {.min = -1e308, .max = 1e308};

template <class V>
std::optional<V> read(const ConfigValue<V>& value, const Json& json) {
  ProblemList problems;
  std::optional<V> result = value.read({json, "/field", problems});
  CAPTURE(problems.lines());
  CHECK(problems.empty());
  return result;
}

/// Returns the forms of a number of thousands, millions and so on: 1500, 1.5k and 0.0015M.
Texts with_suffixes(std::uint64_t number) {
  Texts forms;
  for (const auto& [suffix, num_decimals] :
       {std::pair{"k", 3U}, std::pair{"M", 6U}, std::pair{"g", 9U}}) {
    std::string form = fmt::format("{:0{}}", number, num_decimals + 1);
    form.insert(form.size() - num_decimals, ".");
    forms.push_back(form + suffix);
    forms.push_back(form + " " + suffix);
    forms.push_back(fmt::format("{}e{}", form, num_decimals));
  }
  return forms;
}

/// Returns the texts of a whole number. The first texts are also numbers of JSON.
Texts forms_of(std::uint64_t number) {
  Texts forms = {fmt::format("{}", number),
                 fmt::format("{}.0", number),
                 fmt::format("{}e0", number),
                 fmt::format("{}0e-1", number),
                 grouped(number),
                 fmt::format("  {} ", number)};
  for (std::string& form : with_suffixes(number)) forms.push_back(std::move(form));
  return forms;
}

constexpr std::size_t kNumJsonForms = 4;

/// Returns numbers of every length, and their neighbours.
std::vector<std::uint64_t> whole_numbers() {
  std::vector<std::uint64_t> numbers = {1,       999,       1000,          1001,
                                        999'999, 1'000'000, kMaxCount - 1, kMaxCount};
  std::mt19937_64 random(test::test_seed());
  for (unsigned bits = 1; bits < 53; ++bits) numbers.push_back(1 | random() >> (64U - bits));
  return numbers;
}

Json parsed(const std::string& text) {
  return parse_json(text).value;
}

}  // namespace

TEST_CASE("number_forms: a whole number is the same everywhere", "[plan]") {
  const ConfigValue<std::uint64_t> field = whole_number(0, kMaxCount);
  const auto axis = integer_axis(0, kMaxCount);
  const ParamInfo param = {.name = "x", .kind = ParamKind::kInteger, .min = 0, .max = 0x1p53};
  const std::regex pattern(field.schema()["pattern"].get<std::string>());
  for (const std::uint64_t number : whole_numbers()) {
    const Texts forms = forms_of(number);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const std::string& form = forms[i];
      CAPTURE(number, form);
      CHECK(parse_count("-n", form) == number);
      CHECK(read(field, form) == number);
      CHECK(read(axis, Json::array({form}))->front() == number);
      CHECK(read(axis, {{"from", form}, {"to", form}, {"steps", "1"}})->front() == number);
      CHECK(parse_param(param, form) == ParamValue(static_cast<double>(number)));
      CHECK(std::regex_match(form, pattern));
      if (i < kNumJsonForms) CHECK(read(field, parsed(form)) == number);
      if (form.find(',') != std::string::npos) continue;
      const auto items = split_numbers("-n", form + "," + form);
      CHECK(parse_count("-n", items.back()) == number);
    }
  }
}

TEST_CASE("number_forms: a seed of 64 bits is the same as number and as text", "[plan]") {
  const ConfigValue<std::uint64_t> seed = whole_number(0, ~std::uint64_t{0});
  for (const std::uint64_t number : {kMaxCount + 1, ~std::uint64_t{0}, std::uint64_t{1} << 63U}) {
    for (const std::string& form : {fmt::format("{}", number), fmt::format("{}.0", number)}) {
      CAPTURE(form);
      CHECK(read_whole(form) == number);
      CHECK(read(seed, form) == number);
      CHECK(read(seed, parsed(form)) == number);
    }
  }
  CHECK(read(seed, parsed("1e19")) == 10'000'000'000'000'000'000U);
}

TEST_CASE("number_forms: a size in bytes is the same everywhere", "[plan]") {
  const ConfigValue<std::uint64_t> field = number_of_bits(1, kMaxCount);
  const std::regex pattern(field.schema()["pattern"].get<std::string>());
  for (const char* form : {"64MiB", "64 mib", "65,536 KiB", "67108864B", "0.0625GiB"}) {
    CAPTURE(form);
    CHECK(parse_bytes("--memory", form) == std::uint64_t{64} << 20U);
    CHECK(parse_bits("-m", form) == std::uint64_t{64} << 23U);
    CHECK(read(field, form) == std::uint64_t{64} << 23U);
    CHECK(read(bits_axis(1, kMaxCount), Json::array({form}))->front() == std::uint64_t{64} << 23U);
    CHECK(std::regex_match(form, pattern));
  }
  CHECK(read(field, "64M") == 64'000'000);
  CHECK(parse_bits("-m", "64M") == 64'000'000);
}

TEST_CASE("number_forms: a real number is the same everywhere", "[plan]") {
  const ConfigValue<double> field = real_number(kAll);
  const ParamInfo param = {.name = "x", .kind = ParamKind::kReal, .min = -1e308, .max = 1e308};
  const std::regex pattern(field.schema()["pattern"].get<std::string>());
  const auto check = [&](const std::string& form, double number) {
    CAPTURE(form, number);
    CHECK(parse_real("-p", "a number", form) == number);
    CHECK(read(field, form) == number);
    CHECK(read(real_axis(kAll), Json::array({form}))->front() == number);
    CHECK(parse_param(param, form) == ParamValue(number));
    CHECK(std::regex_match(form, pattern));
    CHECK(parse_real("-p", "a number", split_numbers("-p", form + "," + form).back()) == number);
  };
  std::mt19937_64 random(test::test_seed());
  for (unsigned i = 0; i < 200; ++i) {
    const std::uint64_t number = 1 + random() % 999'999;
    const int digits = static_cast<int>(random() % 12);
    const double value = std::strtod(fmt::format("{}e-{}", number, digits).c_str(), nullptr);
    check(fmt::format("{}e-{}", number, digits), value);
    check(fmt::format(" {}e{}%", number, 2 - digits), value);
    check(fmt::format("{}e{} %", number, 2 - digits), value);
    check(fmt::format("{}/1{:0>{}}", number, "", digits), value);
    check(fmt::format("{} / 1e{} ", number, digits), value);
    check(fmt::format("{}e-{} k", number, digits + 3), value);
    check(shortest_text(value), value);
    CHECK(read(field, parsed(fmt::format("{}e-{}", number, digits))) == value);
  }
}

TEST_CASE("number_forms: a config of texts resolves to the config of numbers", "[plan][config]") {
  const test::TempFolder folder;
  const auto load = [&](const char* text) {
    test::write_text(folder / "config.json", text);
    return load_config(folder / "config.json");
  };
  const Config numbers = load(R"({"name": "a", "seed": 18446744073709551615, "trials": 2,
      "queries": {"relative_error": 0.1, "confidence": 0.95, "max_queries": 1000000},
      "keys": [{"zipf": 1.5}],
      "grids": [
        {"variant": "counting", "num_keys": [1000, 2000], "capacity": 1000000,
         "num_bits": [4096, 8388608], "num_hashes": [3, 4], "params": {"counter_bits": 4},
         "churn": {"rounds": 2, "erase": 0.2, "reinsert": 0.5, "wrongful_erases": 0}},
        {"variant": "standard", "num_keys": {"from": 1000, "to": 1000000, "steps": 4,
         "scale": "log"}, "bits_per_key": 9.6, "num_hashes": 7},
        {"variant": "scalable", "num_keys": 1500, "target_false_positive_rate": [0.001, 0.02],
         "params": {"growth_factor": 4, "tightening_ratio": 0.5}}]})");
  const Config texts = load(R"({"name": "a", "seed": "18446744073709551615", "trials": " 2",
      "queries": {"relative_error": "10 %", "confidence": "19/20", "max_queries": "1,000,000"},
      "keys": [{"zipf": "1.5"}],
      "grids": [
        {"variant": "counting", "num_keys": ["1k", "2,000"], "capacity": "1M",
         "num_bits": ["512B", "1 MiB"], "num_hashes": ["3", 4], "params": {"counter_bits": "4"},
         "churn": {"rounds": "2", "erase": "20%", "reinsert": "1/2", "wrongful_erases": "0"}},
        {"variant": "standard", "num_keys": {"from": "1k", "to": "1m", "steps": "4",
         "scale": "log"}, "bits_per_key": "9.6", "num_hashes": "7"},
        {"variant": "scalable", "num_keys": "1.5k", "target_false_positive_rate": ["1/1000", "2 %"],
         "params": {"growth_factor": "4", "tightening_ratio": "50 %"}}]})");
  CHECK(to_json(texts) == to_json(numbers));
  CHECK(to_json(texts).dump() == to_json(numbers).dump());
  CHECK(run_id(texts) == run_id(numbers));
}

}  // namespace bloometry
