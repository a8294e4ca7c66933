#include "experiments/bench/kept_bench.hpp"

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/run_bench.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::bench;
using nlohmann::ordered_json;

namespace {

BenchSettings small_settings() {
  return {.targets = {"standard", "atomic_blocked", "counting"},
          .num_keys = {2'000},
          .keys = {"random"},
          .num_repetitions = 2,
          .num_queries = 2'000,
          .threads = {1, 2}};
}

BenchPlan kept_plan_of(const BenchSettings& settings) {
  return make_bench_plan(settings, all_targets(), {.memory_bytes = 0, .num_cpus = 2});
}

BenchResult result_of(const BenchPlan& plan, const std::vector<CaseResult>& kept = {}) {
  const std::atomic<bool> interrupted = false;
  return run_bench(
      plan, kept, interrupted,
      {.progress = [](const BenchProgress&) {}, .repetition = [](const BenchResult&) {}});
}

/// A file with the result of a run of small_settings().
class KeptFile {
 public:
  KeptFile() : json_(to_json(result_of(kept_plan_of(small_settings())), "2026-11-20T19:27:17Z")) {
    write();
  }

  void edit(const std::function<void(ordered_json&)>& change) {
    change(json_);
    write();
  }

  [[nodiscard]] const ordered_json& json() const { return json_; }

  [[nodiscard]] KeptBench read(const BenchSettings& settings) const {
    return read_kept_bench(path(), kept_plan_of(settings));
  }

  [[nodiscard]] std::string complaint(const BenchSettings& settings) const {
    try {
      static_cast<void>(read(settings));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "none";
  }

 private:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "bench.json"; }

  void write() const { replace_file(path(), json_.dump(1)); }

  test::TempFolder folder_;
  ordered_json json_;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("kept bench: a file that was read is written with equal content", "[bench]") {
  const KeptFile file;
  const KeptBench kept = file.read(small_settings());
  const BenchPlan plan = kept_plan_of(small_settings());
  CHECK(to_json({.plan = plan, .cases = kept.cases}, kept.started) == file.json());
}

TEST_CASE("kept bench: more repetitions, sizes and kinds of keys are added to a kept file",
          "[bench]") {
  const KeptFile file;
  BenchSettings more = small_settings();
  more.num_repetitions = 3;
  more.num_keys = {4'000, 2'000};
  more.keys = {"random", "strided"};
  const BenchPlan plan = kept_plan_of(more);
  const BenchResult result = result_of(plan, file.read(more).cases);
  REQUIRE(result.cases.size() == 4);
  for (const CaseResult& of_case : result.cases) CHECK(of_case.num_repetitions == 3);
  const ordered_json written = to_json(result, "");
  const auto first_times = [](const ordered_json& of_case) {
    return of_case["targets"][0]["times"][0]["ns_per_key"]["repetitions"];
  };
  const ordered_json before = first_times(file.json()["cases"][0]);
  const ordered_json after = first_times(written["cases"][1]);  // random, n = 2,000
  REQUIRE(after.size() == 3);
  CHECK(after[0] == before[0]);
  CHECK(after[1] == before[1]);
}

TEST_CASE("kept bench: other settings are refused by name", "[bench]") {
  const KeptFile file;
  const auto complaint_if = [&](const std::function<void(BenchSettings&)>& change) {
    BenchSettings settings = small_settings();
    change(settings);
    return file.complaint(settings);
  };
  CHECK(complaint_if([](BenchSettings&) {}) == "none");
  CHECK(says(complaint_if([](BenchSettings& s) { s.seed = 2; }), "has seed 1, not 2; --fresh"));
  CHECK(says(complaint_if([](BenchSettings& s) { s.rate = 0.02; }),
             "has target_false_positive_rate 0.01, not 0.02"));
  CHECK(says(complaint_if([](BenchSettings& s) { s.hash = "folded_multiply"; }),
             R"(has hash "xxh3", not "folded_multiply")"));
  CHECK(
      says(complaint_if([](BenchSettings& s) { s.threads = {1}; }), "has threads [1,2], not [1]"));
  CHECK(says(complaint_if([](BenchSettings& s) { s.num_queries = 3'000; }),
             "has queries_per_repetition 2000, not 3000"));
  CHECK(says(complaint_if([](BenchSettings& s) { s.ops = {"insert"}; }), "has ops ["));
  CHECK(says(complaint_if([](BenchSettings& s) { s.initial_capacity = 1'000; }),
             "has initial_capacity null, not 1000"));
  CHECK(says(complaint_if([](BenchSettings& s) {
               s.targets = {"standard", "counting"};
             }),
             "has a number of filters 3, not 2"));
  CHECK(says(complaint_if([](BenchSettings& s) {
               s.targets = {"standard", "partitioned", "counting"};
             }),
             R"(has a filter "counting", not "partitioned")"));
  CHECK(says(complaint_if([](BenchSettings& s) { s.num_keys = {4'000}; }),
             "has times of 2000 keys (random), which are not requested"));
}

TEST_CASE("kept bench: times of another build or processor and damaged files are refused",
          "[bench]") {
  KeptFile file;
  const auto complaint_of = [&](const std::function<void(ordered_json&)>& change) {
    const ordered_json whole = file.json();
    file.edit(change);
    const std::string complaint = file.complaint(small_settings());
    file.edit([&](ordered_json& kept) { kept = whole; });
    return complaint;
  };
  for (const char* field : {"version", "git_revision", "compiler", "build_type", "compiler_flags",
                            "cpu", "isa", "num_cpus"}) {
    CHECK(says(complaint_of([&](ordered_json& kept) { kept["machine"][field] = "other"; }),
               "has " + std::string(field) + " \"other\", not "));
  }
  CHECK(complaint_of([](ordered_json& kept) { kept["machine"]["memory_bytes"] = 1; }) == "none");
  CHECK(says(complaint_of([](ordered_json& kept) { kept = "text"; }), "cannot be read: "));
  CHECK(says(complaint_of([](ordered_json& kept) { kept.erase("seed"); }), "cannot be read: "));
  CHECK(says(complaint_of([](ordered_json& kept) { kept["schema_version"] = 1; }),
             "has schema_version 1, not 2"));
  const auto time = [](ordered_json& kept) -> ordered_json& {
    return kept["cases"][0]["targets"][0]["times"][0];
  };
  CHECK(says(complaint_of([&](ordered_json& kept) { time(kept)["op"] = "sing"; }),
             "has an unknown \"sing\""));
  CHECK(says(
      complaint_of([&](ordered_json& kept) { time(kept)["ns_per_key"]["repetitions"] = {1.0}; }),
      "has a time without all repetitions"));
}
