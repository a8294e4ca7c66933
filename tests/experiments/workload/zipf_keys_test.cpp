#include "experiments/workload/zipf_keys.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/statistics/special_functions.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/plan/exemption_reason.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/workload/digest_generator.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

Unit zipf_unit(double exponent, std::uint64_t num_inserted, std::uint64_t num_queries) {
  Unit unit;
  unit.variant = "standard";
  unit.keys = {.kind = KeySource::Kind::kZipf, .name = "zipf:1", .zipf_exponent = exponent};
  unit.hash = "xxh3";
  unit.probes = "remix";
  unit.points = {{num_inserted, 3, num_queries}};
  return unit;
}

std::vector<Digest> digests_of(const Unit& unit, KeyRole role, std::uint64_t count) {
  std::vector<Digest> digests(count);
  DigestGenerator(unit, synthetic_keys(unit), key_demand(unit).num_members).fill(role, 0, digests);
  return digests;
}

std::set<std::pair<std::uint64_t, std::uint64_t>> distinct(const std::vector<Digest>& digests) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> words;
  for (const Digest& digest : digests) words.emplace(digest.lo, digest.hi);
  return words;
}

}  // namespace

TEST_CASE("zipf keys: ranks are drawn by their weights", "[experiments][workload]") {
  // Rank r of 10^6 has a probability proportional to r^-s. A chi-square test compares the counts of
  // the first ten ranks and of all other ranks. Each of 3 assertions has a false-alarm probability
  // of 1e-9; the seed is fixed.
  constexpr int kNumDraws = 1'000'000;
  constexpr std::size_t kNumCells = 11;
  for (const double exponent : {0.8, 1.0, 1.2}) {
    const ZipfKeys keys(exponent, 1, 2);
    std::vector<std::uint64_t> counts(kNumCells);
    for (int i = 0; i < kNumDraws; ++i) {
      ++counts[std::min<std::uint64_t>(keys.query_index(static_cast<std::uint64_t>(i)), 10)];
    }
    double total = 0;
    for (std::uint64_t r = 1; r <= ZipfKeys::kNumRanks; ++r) {
      total += std::pow(static_cast<double>(r), -exponent);
    }
    std::vector<double> expected(kNumCells);
    double rest = kNumDraws;
    for (std::size_t r = 0; r + 1 < kNumCells; ++r) {
      expected[r] = kNumDraws * std::pow(static_cast<double>(r + 1), -exponent) / total;
      rest -= expected[r];
    }
    expected.back() = rest;
    double statistic = 0;
    for (std::size_t i = 0; i < kNumCells; ++i) {
      const double gap = static_cast<double>(counts[i]) - expected[i];
      statistic += gap * gap / expected[i];
    }
    CAPTURE(exponent, counts, expected);
    CHECK(statistics::chi_square_p_value(statistic, kNumCells - 1) > 1e-9);
  }
}

TEST_CASE("zipf keys: members are distinct and never queried, queries repeat",
          "[experiments][workload]") {
  const Unit unit = zipf_unit(1.0, 5000, 20'000);
  const auto members = distinct(digests_of(unit, KeyRole::kMember, 5000));
  const auto queries = distinct(digests_of(unit, KeyRole::kQuery, 20'000));
  CHECK(members.size() == 5000);
  CHECK(queries.size() < 20'000);
  for (const auto& query : queries) CHECK_FALSE(members.contains(query));
}

TEST_CASE("zipf keys: blocks of any size give the same queries", "[experiments][workload]") {
  const Unit unit = zipf_unit(1.2, 10, 1000);
  const std::vector<Digest> whole = digests_of(unit, KeyRole::kQuery, 1000);
  std::vector<Digest> tail(400);
  DigestGenerator(unit, synthetic_keys(unit), 10).fill(KeyRole::kQuery, 600, tail);
  CHECK(std::vector<Digest>(whole.begin() + 600, whole.end()) == tail);
}

TEST_CASE("zipf keys: a config names the exponent, and rows are exempt",
          "[experiments][workload][plan]") {
  const auto config = nlohmann::json::parse(R"({"name": "a", "keys": [{"zipf": 0.8}, "random"],
      "grids": [{"variant": "standard", "num_keys": 10, "num_bits": 64, "num_hashes": 3}]})");
  const Config read = config_from_json(config);
  REQUIRE(read.keys.size() == 2);
  CHECK(read.keys[0].name == "zipf:0.8");
  CHECK(read.keys[0].zipf_exponent == 0.8);
  CHECK(config_from_json(to_json(read)).keys == read.keys);

  for (const Unit& unit : expand(read)) {
    CHECK(exemption_reason(unit, false) ==
          (unit.keys.name == "random" ? "" : "popular keys are queried repeatedly"));
  }
}

TEST_CASE("zipf keys: impossible exponents and wrongful erases are refused",
          "[experiments][workload][plan]") {
  auto config = nlohmann::json::parse(R"({"name": "a", "keys": {"zipf": 0},
      "grids": [{"variant": "counting", "num_keys": 10, "num_bits": 64, "num_hashes": 3}]})");
  CHECK(test::message_of<ConfigError>([&] { (void)config_from_json(config); }) ==
        "/keys/zipf: must be in (0, 10], got 0");
  config["keys"]["zipf"] = 1.5;
  config["grids"][0]["churn"] = {{"rounds", 1}, {"erase", 0.2}, {"wrongful_erases", 0.1}};
  const test::TempFolder folder;
  const auto path = folder.path() / "config.json";
  std::ofstream(path) << config;
  CHECK(test::message_of<ConfigError>([&] { (void)load_config(path); }) ==
        "/keys: zipf:1.5 must be left out with wrongful_erases");
}

}  // namespace bloometry
