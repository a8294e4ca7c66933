#include "experiments/bench/compare_bench.hpp"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/error.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/cli/bench/comparison_text.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::bench;
using nlohmann::json;

namespace {

json figure_of_times(const Repetitions& times) {
  return {{"repetitions", times}};
}

json target_of_times(const std::string& name, const Repetitions& times) {
  return {{"name", name},
          {"times",
           {{{"op", "negative"},
             {"call", "single"},
             {"num_threads", 1},
             {"ns_per_key", figure_of_times(times)}}}},
          {"floor_ns_per_key", {{"read", figure_of_times({1.0, 1.01, 1.02, 0.99, 1.0})}}}};
}

/// The JSON of a benchmark with the times of three filters.
json small_bench() {
  return {{"schema_version", kSchemaVersion},
          {"started", "2026-11-28T10:00:00Z"},
          {"machine",
           {{"version", "0.2.0"},
            {"git_revision", "abc"},
            {"cpu", "some"},
            {"num_cpus", 2},
            {"isa", "avx2"},
            {"compiler", "GNU 12"},
            {"build_type", "Release"},
            {"compiler_flags", ""}}},
          {"target_false_positive_rate", 0.01},
          {"hash", "xxh3"},
          {"initial_capacity", nullptr},
          {"queries_per_repetition", 1000},
          {"warm_up_share", 0.25},
          {"block_keys", 4096},
          {"cases",
           {{{"num_keys", 1000},
             {"keys", "random"},
             {"num_repetitions", 5},
             {"targets",
              {target_of_times("standard", {10.0, 10.1, 9.9, 10.0, 10.2}),
               target_of_times("blocked", {4.0, 4.1, 4.2, 4.1, 4.0}),
               target_of_times("lanes", {5.0, 5.1, 5.2, 5.1, 5.0})}}}}}};
}

json& time_of(json& bench, std::size_t target) {
  return bench["cases"][0]["targets"][target]["times"][0]["ns_per_key"]["repetitions"];
}

/// The JSON of a benchmark of a file, after a change.
StoredBench changed(const std::function<void(json&)>& change, const std::string& name = "changed") {
  json bench = small_bench();
  change(bench);
  return stored_bench(bench, name);
}

void multiply_time(json& bench, std::size_t target, double factor) {
  for (json& time : time_of(bench, target)) time = time.get<double>() * factor;
}

Change change_of_target(const BenchComparison& comparison, const std::string& target) {
  for (const ComparedRow& row : comparison.rows) {
    if (row.name.target == target) return row.change;
  }
  FAIL(target << " is missing");
  return Change::kNotShown;
}

}  // namespace

TEST_CASE("compare_bench: reports which times are faster, slower or without a difference",
          "[experiments][bench]") {
  const BenchComparison comparison =
      compare_bench(stored_bench(small_bench(), "before"), changed([](json& bench) {
                      multiply_time(bench, 0, 1.5);
                      multiply_time(bench, 1, 0.5);
                      multiply_time(bench, 2, 1.01);
                    }));
  CHECK(change_of_target(comparison, "standard") == Change::kSlower);
  CHECK(change_of_target(comparison, "blocked") == Change::kFaster);
  CHECK(change_of_target(comparison, "lanes") == Change::kNotShown);
  CHECK(comparison.count(Change::kSlower) == 1);
  CHECK(comparison.warnings.empty());
  CHECK(comparison.only_before.empty());
  CHECK(comparison.only_after.empty());
  for (const ComparedRow& row : comparison.rows) {
    CHECK(row.estimate.ratio == Approx(row.after_ns / row.before_ns));
  }
  // Three rows and three floors share the error.
  CHECK(comparison.row_error == Approx(kFamilyWiseError / 6));
  // Student's quantile is 7.8 for 4 degrees of freedom. The margins of the logarithms are
  // 7.8 sqrt(2 / 5) s, and s is 0.0113, 0.0204 and 0.0164.
  CHECK(comparison.smallest_shown_ratio() ==
        Approx(std::exp(7.8 * std::sqrt(0.4) * 0.0164)).epsilon(0.01));
}

TEST_CASE("compare_bench: a benchmark does not differ from itself", "[experiments][bench]") {
  const StoredBench bench = stored_bench(small_bench(), "same");
  const BenchComparison comparison = compare_bench(bench, bench);
  CHECK(comparison.count(Change::kNotShown) == 3);
  for (const ComparedRow& row : comparison.rows) CHECK(row.estimate.ratio == Approx(1));
}

TEST_CASE("compare_bench: a single repetition does not show a difference", "[experiments][bench]") {
  const BenchComparison comparison =
      compare_bench(stored_bench(small_bench(), "before"), changed([](json& bench) {
                      bench["cases"][0]["num_repetitions"] = 1;
                      for (json& target : bench["cases"][0]["targets"]) {
                        target["floor_ns_per_key"]["read"]["repetitions"] = {1.0};
                        target["times"][0]["ns_per_key"]["repetitions"] = {1000.0};
                      }
                    }));
  CHECK(change_of_target(comparison, "standard") == Change::kNotShown);
  CHECK(to_json(comparison)["rows"][2]["name"] == "standard");
  CHECK(to_json(comparison)["rows"][2]["interval_upper"].is_null());
  std::ostringstream text;
  print_comparison(comparison, text);
  CHECK(text.str().find("unknown") != std::string::npos);
  CHECK(text.str().ends_with("Half of the rows cannot show a difference of any size.\n"));
  CHECK(to_json(comparison)["smallest_shown_ratio"].is_null());
  CHECK(comparison.warnings ==
        std::vector<std::string>{"half of the times cannot show any change; measure both "
                                 "benchmarks with more --repetitions, or fewer --variants and "
                                 "--ops"});
}

// A row of a comparison shows a change exactly from its smallest_shown_ratio() on.
TEST_CASE("compare_bench: a ratio above the smallest shown one is shown, and none below it",
          "[experiments][bench]") {
  const StoredBench before = stored_bench(small_bench(), "before");
  const auto with_ratio = [&](double ratio) {
    return compare_bench(before, changed([&](json& bench) { multiply_time(bench, 0, ratio); }));
  };
  const auto row_of = [](const BenchComparison& comparison) {
    for (const ComparedRow& row : comparison.rows) {
      if (row.name.target == "standard") return row;
    }
    throw ConfigError("standard is missing");
  };
  const double smallest = row_of(with_ratio(1)).smallest_shown_ratio();
  CHECK(row_of(with_ratio(smallest * 1.001)).change == Change::kSlower);
  CHECK(row_of(with_ratio(smallest * 0.999)).change == Change::kNotShown);
  CHECK(row_of(with_ratio(1 / smallest / 1.001)).change == Change::kFaster);
  CHECK(row_of(with_ratio(1 / smallest / 0.999)).change == Change::kNotShown);
}

TEST_CASE("compare_bench: warns if few repetitions hide large changes", "[experiments][bench]") {
  const auto noisy = [](std::size_t num_runs) {
    return changed([&](json& bench) {
      json& bench_case = bench["cases"][0];
      bench_case["num_repetitions"] = 3 * num_runs;
      bench_case["run_repetitions"] = std::vector<std::size_t>(num_runs, 3);
      for (json& target : bench_case["targets"]) {
        json& times = target["times"][0]["ns_per_key"]["repetitions"];
        times = json::array();
        for (std::size_t i = 0; i < num_runs; ++i)
          times.insert(times.end(), {9.0, 10.0, 11.0 + double(i)});
        target["floor_ns_per_key"]["read"]["repetitions"] = times;
      }
    });
  };
  const BenchComparison by_repetitions = compare_bench(noisy(1), noisy(1));
  REQUIRE(by_repetitions.warnings.size() == 1);
  CHECK(by_repetitions.warnings[0].starts_with(
      "half of the times show a change only above a factor of "));
  CHECK(by_repetitions.warnings[0].find("both benchmarks with more --repetitions") !=
        std::string::npos);
  const BenchComparison by_runs = compare_bench(noisy(2), noisy(2));
  REQUIRE(by_runs.warnings.size() == 1);
  CHECK(by_runs.warnings[0].find("more runs into both folders") != std::string::npos);
}

TEST_CASE("compare_bench: the text of extreme intervals fits 80 columns", "[experiments][bench]") {
  const StoredBench noisy = changed([](json& bench) {
    bench["cases"][0]["num_repetitions"] = 3;
    bench["cases"][0]["targets"][0]["name"] = "variable_increment";
    for (json& target : bench["cases"][0]["targets"]) {
      target["floor_ns_per_key"]["read"]["repetitions"] = {1.0, 1.1, 1.2};
      target["times"][0]["ns_per_key"]["repetitions"] = {1.0, 10.0, 100.0};
    }
  });
  std::ostringstream text;
  print_comparison(compare_bench(noisy, noisy), text);
  // Student's quantile is 24.5 for 2 degrees of freedom and an error of 0.01 / 6, so that the
  // margin of the logarithms is 24.5 ln(10) sqrt(2 / 3) = 46.
  CHECK(text.str().find("e-20 - ") != std::string::npos);
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

// Within each run the times vary by 0.1 %. The runs of the mixed benchmark differ by 20 %.
TEST_CASE("compare_bench: several runs are compared by the means of the runs",
          "[experiments][bench]") {
  const auto with_runs = [](const Repetitions& times, bool are_runs) {
    return changed([&](json& bench) {
      bench["cases"][0]["num_repetitions"] = 6;
      if (are_runs) bench["cases"][0]["run_repetitions"] = {2, 2, 2};
      for (json& target : bench["cases"][0]["targets"]) {
        target["floor_ns_per_key"]["read"]["repetitions"] = times;
        target["times"][0]["ns_per_key"]["repetitions"] = times;
      }
    });
  };
  const Repetitions slow = {12.0, 12.01, 12.0, 12.01, 12.02, 12.0};
  const Repetitions mixed = {10.0, 10.01, 12.0, 12.01, 10.02, 10.0};
  const Repetitions fast = {6.0, 6.01, 6.0, 6.01, 6.02, 6.0};
  const BenchComparison by_repetitions =
      compare_bench(with_runs(slow, false), with_runs(fast, false));
  CHECK_FALSE(by_repetitions.is_by_runs);
  CHECK(by_repetitions.count(Change::kFaster) == 3);
  CHECK_FALSE(compare_bench(with_runs(slow, true), with_runs(fast, false)).is_by_runs);
  const BenchComparison by_runs = compare_bench(with_runs(slow, true), with_runs(mixed, true));
  CHECK(by_runs.is_by_runs);
  CHECK(by_runs.count(Change::kNotShown) == 3);
  CHECK(by_runs.rows[0].after_ns == Approx(std::cbrt(10.005 * 12.005 * 10.01)).epsilon(1e-6));
  CHECK(compare_bench(with_runs(slow, true), with_runs(fast, true)).count(Change::kFaster) == 3);
}

TEST_CASE("compare_bench: lists the rows of only one benchmark", "[experiments][bench]") {
  const BenchComparison comparison =
      compare_bench(stored_bench(small_bench(), "before"), changed([](json& bench) {
                      bench["cases"][0]["targets"][0]["name"] = "new_filter";
                      bench["cases"][0]["targets"][1]["times"][0]["op"] = "mix";
                    }));
  REQUIRE(comparison.only_before.size() == 2);
  REQUIRE(comparison.only_after.size() == 2);
  CHECK(comparison.rows.size() == 1);
  std::ostringstream text;
  print_comparison(comparison, text);
  CHECK(text.str().find("only after:\n  blocked: mix, single, 1,000 keys, random\n"
                        "  new_filter: negative, single, 1,000 keys, random\n") !=
        std::string::npos);
  const auto object = to_json(comparison);
  CHECK(object["only_before"][0]["name"] == "blocked");
  CHECK(object["only_before"][1]["op"] == "negative");
}

TEST_CASE("compare_bench: warns of other conditions, one line each", "[experiments][bench]") {
  const BenchComparison comparison =
      compare_bench(stored_bench(small_bench(), "before"), changed([](json& bench) {
                      bench["machine"]["cpu"] = "other";
                      bench["hash"] = "aes";
                      bench["initial_capacity"] = 10;
                      bench["machine"]["git_revision"] = "def";
                    }));
  CHECK(comparison.warnings ==
        std::vector<std::string>{"cpu differs: some before, other after",
                                 "hash differs: xxh3 before, aes after",
                                 "initial_capacity differs: null before, 10 after"});
}

TEST_CASE("compare_bench: warns if the floors differ, which do not depend on filters",
          "[experiments][bench]") {
  const BenchComparison comparison =
      compare_bench(stored_bench(small_bench(), "before"), changed([](json& bench) {
                      for (json& target : bench["cases"][0]["targets"]) {
                        for (json& time : target["floor_ns_per_key"]["read"]["repetitions"])
                          time = 2 * time.get<double>();
                      }
                    }));
  REQUIRE(comparison.warnings.size() == 1);
  CHECK(comparison.warnings[0].starts_with("3 of 3 times of the floor differ"));
  CHECK(comparison.count(Change::kSlower) == 0);
}

TEST_CASE("compare_bench: benchmarks without a common row are refused", "[experiments][bench]") {
  const StoredBench before = stored_bench(small_bench(), "before.json");
  const StoredBench after = changed([](json& bench) { bench["cases"][0]["num_keys"] = 2000; });
  CHECK(test::message_of<ConfigError>([&] {
          static_cast<void>(compare_bench(before, after));
        }).starts_with("--compare must have a time in common with changed, got before.json"));
}

TEST_CASE("stored_bench: a file that is not a benchmark is refused in one line",
          "[experiments][bench]") {
  const auto refused_for = [](const std::function<void(json&)>& change) {
    return test::message_of<ConfigError>([&] { static_cast<void>(changed(change, "file")); });
  };
  const std::string begin = "--compare must be the JSON of a benchmark (bench --json), got file: ";
  CHECK(refused_for([](json& bench) { bench = json::array(); }).starts_with(begin));
  CHECK(refused_for([](json& bench) { bench["schema_version"] = 1; }) ==
        begin + "its schema_version must be 2, got 1");
  CHECK(refused_for([](json& bench) { bench.erase("cases"); }).starts_with(begin));
  CHECK(refused_for([](json& bench) { bench["cases"] = 7; }).starts_with(begin));
  CHECK(refused_for([](json& bench) { time_of(bench, 0) = json::array(); }) ==
        begin + "repetitions must be positive numbers, at least one");
  const std::string wrong_runs =
      begin + "run_repetitions must be positive, and their sum the number of repetitions";
  CHECK(refused_for([](json& bench) { time_of(bench, 0) = {1.0, 2.0}; }) == wrong_runs);
  for (const json& runs : {json::array({4}), json::array({5, 0}), json::array({3, 3}),
                           json::array({2, 18446744073709551615U})}) {
    CHECK(refused_for([&](json& bench) { bench["cases"][0]["run_repetitions"] = runs; }) ==
          wrong_runs);
  }
  CHECK(refused_for([](json& bench) { time_of(bench, 0) = {1.0, 0.0}; }).starts_with(begin));
  CHECK(refused_for([](json& bench) { time_of(bench, 0) = {"fast"}; }).starts_with(begin));
  CHECK(refused_for([](json& bench) { bench["cases"][0]["targets"][1]["name"] = "standard"; }) ==
        begin + "has negative, single and 1 of standard at 1000 keys twice");
  const test::TempFolder folder;
  const auto file = folder.path() / "bench.json";
  replace_file(file, "{\"schema_version\": 2,");
  CHECK(test::message_of<ConfigError>([&] { static_cast<void>(read_stored_bench(file)); })
            .starts_with("--compare must be the JSON of a benchmark (bench --json), got " +
                         file.string() + ": "));
}
