#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

json time_json(const char* op, const char* call, double ns) {
  return {{"op", op},
          {"call", call},
          {"ns_per_key", {{"median", ns}, {"min", ns - 1}, {"max", ns + 2}}}};
}

json target_json(const char* name, std::uint64_t num_false_positives) {
  return {{"name", name},
          {"num_bits", 960'000},
          {"num_hashes", 7},
          {"num_absent_queries", 1'000'000},
          {"num_false_positives", num_false_positives},
          {"interval_lower", 0.009},
          {"interval_upper", 0.011},
          {"times",
           {time_json("insert", "single", 50), time_json("negative", "single", 20),
            time_json("negative", "batch", 5)}}};
}

json bench_json(const std::vector<json>& targets) {
  return {{"schema_version", 2},
          {"machine", {{"cpu", "a hand-made CPU"}}},
          {"cases", {{{"num_keys", 100'000}, {"keys", "random"}, {"targets", targets}}}}};
}

/// Files with benchmark results in a temporary folder.
class BenchFiles {
 public:
  std::filesystem::path add(const std::string& text) {
    const std::filesystem::path file = folder_.path() / (std::to_string(num_files_++) + ".json");
    replace_file(file, text);
    return file;
  }

 private:
  TempFolder folder_;
  int num_files_ = 0;
};

}  // namespace

TEST_CASE(
    "ns_vs_rate: draws the run's variants with their times of negative queries against their rates",
    "[report]") {
  BenchFiles files;
  const HandMadeRun made = large_run();  // standard and counting
  const BenchTimes bench = read_bench_times(
      {files.add(
           bench_json({target_json("standard", 10'000), target_json("libbloom", 9'000)}).dump()),
       files.add(bench_json({target_json("counting", 0)}).dump())},
      made.rows);
  REQUIRE(bench.times.size() == 4);
  CHECK(bench.machines == std::set<std::string>{"a hand-made CPU"});
  const ChartSet set =
      make_charts(made.run.config, made.rows, made.verdict, {.names = {"fill"}, .bench = bench});
  REQUIRE(set.charts.size() == 2);
  const chart::Chart& chart = set.charts[1];
  CHECK(chart.name == "ns_vs_rate");
  const json& single = chart.points[0].fields;
  CHECK(single["series"] == "standard");
  CHECK(single["call"] == "single");
  CHECK(single["x"] == 0.01);
  CHECK(single["ns"] == 20);
  CHECK(single["ns_min"] == 19);
  CHECK(single["ns_max"] == 22);
  CHECK(chart.points[1].fields["call"] == "batch");
  CHECK(chart.points[2].fields["x"] == 0.011);  // the upper bound: 0 false positives
  CHECK(chart.caption.find("a hand-made CPU") != std::string::npos);
  CHECK(chart.caption.find("100,000 keys, random") != std::string::npos);
  CHECK(chart.caption.ends_with(
      " Drawn: 4 of 6 times. Left out: 2 times of filters that the run does not have."));
  CHECK(chart.spec["encoding"]["color"]["scale"]["domain"] == json({"standard", "counting"}));
}

TEST_CASE("ns_vs_rate: without times it is left out with the reason", "[report]") {
  const HandMadeRun made = large_run();
  const ChartSet set =
      make_charts(made.run.config, made.rows, made.verdict, {.names = {"ns_vs_rate"}});
  CHECK(set.charts.empty());
  REQUIRE(set.omitted.size() == 1);
  CHECK(set.omitted[0].reason.find("report --bench FILE") != std::string::npos);
}

TEST_CASE("ns_vs_rate: a file without suitable times is refused with the reason", "[report]") {
  BenchFiles files;
  const HandMadeRun made = large_run();
  const auto message = [&](const std::filesystem::path& file) {
    return message_of<ConfigError>([&] { (void)read_bench_times({file}, made.rows); });
  };
  const auto is_refused = [&](const std::string& text, const std::string& reason) {
    const std::filesystem::path file = files.add(text);
    const std::string said = message(file);
    INFO(said);
    CHECK(said.starts_with("--bench must be a file written by `bloometry bench --json`, got " +
                           file.string() + ": "));
    CHECK(contains_text(said, reason));
    CHECK_FALSE(contains_text(said, "\n"));
  };
  is_refused("no json", "invalid literal");
  is_refused("[1, 2]", "it is not a JSON object");
  is_refused("{}", "schema_version");
  is_refused(R"({"schema_version": 1})", "its schema_version is 1, not 2");
  is_refused(R"({"schema_version": 2})", "cases");
  is_refused(R"({"schema_version": 2, "machine": {"cpu": ""}, "cases": []})",
             "times of absent keys are missing");
  json broken = bench_json({target_json("standard", 1)});
  broken["cases"][0]["targets"][0]["num_bits"] = "many";
  is_refused(broken.dump(), "must be number");
  CHECK(contains_text(message("/no/such/file.json"), "/no/such/file.json"));
  const std::filesystem::path once = files.add(bench_json({target_json("standard", 1)}).dump());
  const std::filesystem::path again = once.parent_path() / "." / once.filename();
  CHECK(message_of<ConfigError>([&] {
          (void)read_bench_times({once, again}, made.rows);
        }) == "--bench must be distinct files, got " + again.string() + " twice");
  const std::filesystem::path other = files.add(bench_json({target_json("blocked", 1)}).dump());
  CHECK(message(other) ==
        "--bench must contain times of a variant of the run (counting, standard), "
        "got " +
            other.string() + " with times of blocked");
}

TEST_CASE("charts: the times of a filter that grows name its initial capacity", "[report]") {
  BenchFiles files;
  HandMadeRun made = large_run();
  made.rows.front().variant = "scalable";
  json scalable = target_json("scalable", 10'000);
  scalable["num_hashes"] = nullptr;
  const auto caption = [&] {
    const std::string bench = bench_json({target_json("standard", 10'000), scalable}).dump();
    const ChartChoices choices{.names = {"ns_vs_rate"},
                               .bench = read_bench_times({files.add(bench)}, made.rows)};
    const ChartSet set = make_charts(made.run.config, made.rows, made.verdict, choices);
    REQUIRE(set.charts.size() == 1);
    return set.charts.front().caption;
  };
  CHECK(caption().find("initial") == std::string::npos);  // a file of an earlier version
  scalable["initial_capacity"] = 5'000;
  CHECK(caption().ends_with(" Filters that grow have an initial capacity of 5,000 keys."));
}
