#include <nlohmann/json.hpp>
#include <string>

#include "experiments/bench/bench_chart.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/bench/run_bench.hpp"
#include "experiments/process/machine.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;
using namespace bloometry::bench;

namespace {

/// Returns a result of a target with made-up values.
TargetResult hand_made_target(const std::string& name, bool can_erase) {
  TargetResult target{.plan = {.name = name, .hash = "xxh3", .num_hashes = 7}};
  target.plan.expected_rate = 0.0099;
  target.num_bits = 96'000;
  for (const Op op : kAllOps) {
    if (op == Op::kErase && !can_erase) continue;
    for (const Call call : kAllCalls) target.ns_per_key[{op, call}] = {30, 10, 20};
  }
  for (Repetitions& floor : target.floor_ns) floor = {5, 5, 2};
  target.num_absent_queries = 1'000;
  target.num_false_positives = 9;
  return target;
}

BenchResult hand_made_result() {
  BenchResult result{.plan = {.settings = {.hash = "xxh3", .num_repetitions = 3},
                              .ops = {kAllOps.begin(), kAllOps.end()},
                              .cases = {}},
                     .cases = {}};
  for (const std::uint64_t n : {10'000U, 2'000'000U}) {
    CaseResult bench_case{
        .num_keys = n, .builds = {.num_builds = 4, .num_queries = 2'500}, .num_repetitions = 3};
    bench_case.targets = {hand_made_target("standard", false), hand_made_target("counting", true)};
    bench_case.refused = {{.name = "small", .refusal = "too large"}};
    result.cases.push_back(bench_case);
  }
  return result;
}

}  // namespace

TEST_CASE("bench json: contains the fields that the README describes", "[bench]") {
  const nlohmann::ordered_json json = to_json(hand_made_result(), "2026-11-20T19:27:17Z");
  CHECK(json.at("schema_version") == 2);
  CHECK(json.at("started") == "2026-11-20T19:27:17Z");
  for (const char* name : {"cpu", "caches", "compiler", "compiler_flags", "isa", "git_revision"}) {
    CHECK(json.at("machine").contains(name));
  }
  CHECK(json.at("target_false_positive_rate") == 0.01);
  CHECK(json.at("num_repetitions") == 3);
  CHECK(json.at("initial_capacity").is_null());
  REQUIRE(json.at("cases").size() == 2);
  const auto& bench_case = json.at("cases").front();
  CHECK(bench_case.at("num_keys") == 10'000);
  CHECK(bench_case.at("keys") == "random");
  CHECK(bench_case.at("builds_per_repetition") == 4);
  CHECK(bench_case.at("queries_per_build") == 2'500);
  CHECK(bench_case.at("refused").front() ==
        nlohmann::ordered_json{{"name", "small"}, {"because", "too large"}});
  REQUIRE(bench_case.at("targets").size() == 2);
  const auto& target = bench_case.at("targets").front();
  CHECK(target.at("name") == "standard");
  CHECK(target.at("is_peer") == false);
  CHECK(target.at("bits_per_key") == 9.6);
  CHECK(target.at("num_hashes") == 7);
  CHECK(target.at("num_false_positives") == 9);
  CHECK(target.at("observed_false_positive_rate") == 0.009);
  CHECK(target.at("expected_false_positive_rate") == 0.0099);
  CHECK(target.at("interval_lower").get<double>() < 0.009);
  CHECK(target.at("interval_upper").get<double>() > 0.009);
  CHECK(target.at("floor_ns_per_key").at("update_prefetched").at("median") == 5);
  REQUIRE(target.at("times").size() == 8);
  const auto& time = target.at("times").front();
  CHECK(time.at("op") == "insert");
  CHECK(time.at("call") == "single");
  CHECK(time.at("ns_per_key").at("median") == 20);
  CHECK(time.at("ns_per_key").at("repetitions") == nlohmann::ordered_json{30, 10, 20});
  CHECK(time.at("floor") == "update");
  // 30/5, 10/5, 20/2
  CHECK(time.at("ratio_to_floor").at("median") == 6);
  CHECK(time.at("ratio_to_floor").at("min") == 2);
  CHECK(time.at("ratio_to_floor").at("max") == 10);
}

TEST_CASE("bench json: a rate that was not measured is null", "[bench]") {
  BenchResult result = hand_made_result();
  result.cases.front().targets.front().num_absent_queries = 0;
  result.cases.front().targets.front().num_false_positives = 0;
  const auto json = to_json(result, "");
  CHECK(
      json.at("cases").front().at("targets").front().at("observed_false_positive_rate").is_null());
}

TEST_CASE("bench chart: every figure is a point with its floor", "[bench]") {
  const std::vector<chart::Chart> charts = make_bench_charts(hand_made_result());
  REQUIRE(charts.size() == 1);
  CHECK(charts.front().name == "bench_random");
  CHECK(charts.front().title == "Time per key, 64-bit integers, random");
  CHECK(charts.front().points.size() == 2 * (8 + 10));
  const nlohmann::json spec = chart::with_data(charts.front());
  const nlohmann::json& point = spec.at("data").at("values").front();
  CHECK(point.at("ns") == 20);
  CHECK(point.at("ns_min") == 10);
  CHECK(point.at("ns_max") == 30);
  CHECK(point.at("floor_ns") == 5);
  CHECK(point.at("n") == "10 thousand keys");
  CHECK(spec.at("facet").at("row").at("sort") ==
        nlohmann::json{"10 thousand keys", "2 million keys"});
  CHECK(spec.at("facet").at("column").at("sort") ==
        nlohmann::json{"insert", "negative", "mix", "positive", "erase"});
}

TEST_CASE("bench chart: the caption states hash, machine and operations", "[bench]") {
  const chart::Chart chart = make_bench_charts(hand_made_result()).front();
  const nlohmann::json machine = describe_build_and_machine();
  for (const std::string& part :
       {std::string("keys hashed with xxh3"), "Measured on " + machine.at("cpu").get<std::string>(),
        "instructions " + machine.at("isa").get<std::string>(), std::string("mix: half of each")}) {
    INFO(part);
    CHECK(chart.caption.find(part) != std::string::npos);
  }
  CHECK(chart.points.front().fields.at("series") == "single");
}
