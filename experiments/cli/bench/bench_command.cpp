#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/bench/bench_chart.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/bench/compare_bench.hpp"
#include "experiments/bench/kept_bench.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/run_bench.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/chart/export_charts.hpp"
#include "experiments/cli/bench/bench_options.hpp"
#include "experiments/cli/bench/bench_text.hpp"
#include "experiments/cli/bench/comparison_text.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;
using namespace bench;

/// Throws ConfigError if a file cannot be created in the folder. The check also detects a read-only
/// file system.
void require_writable(const fs::path& folder) {
  const fs::path trial = folder / ".bench.json.tmp";
  const int fd = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    throw ConfigError(fmt::format("--out must be a folder that can be written to, got {}: {}",
                                  folder.string(), std::strerror(errno)));
  }
  ::close(fd);
  std::error_code ignored;
  fs::remove(trial, ignored);
}

/// Creates the output folder and checks that results can be stored there, before the long benchmark
/// starts.
void make_out_folder(const fs::path& folder) {
  if (folder.empty()) throw ConfigError("--out must not be empty");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw ConfigError(fmt::format("--out must be a folder that can be created, got {}: {}",
                                  folder.string(), error ? error.message() : "it is a file"));
  }
  require_writable(folder);
}

SweepProgress as_sweep(const BenchProgress& progress) {
  return {.num_units = progress.num_steps,
          .num_finished = progress.num_steps_done,
          .num_operations = progress.num_keys,
          .num_operations_planned = progress.num_keys_planned,
          .elapsed_s = progress.elapsed_s};
}

/// A benchmark plan, the path of its results, and the results that already exist.
struct Bench {
  BenchPlan plan;
  std::optional<fs::path> file;  ///< path of bench.json
  KeptBench kept;
};

Bench prepare(const BenchOptions& options) {
  Bench bench{.plan = make_bench_plan(
                  options.settings, all_targets(),
                  {.memory_bytes = machine_memory_bytes(), .num_cpus = num_usable_cpus()}),
              .file = {},
              .kept = {.started = utc_now(), .cases = {}}};
  if (!options.out) return bench;
  make_out_folder(*options.out);
  bench.file = *options.out / "bench.json";
  if (!options.is_fresh && fs::exists(*bench.file)) {
    bench.kept = read_kept_bench(*bench.file, bench.plan);
  }
  return bench;
}

/// Returns the total number of requested repetitions of all cases.
std::uint64_t num_requested(const BenchPlan& plan) {
  return plan.cases.size() * plan.settings.num_repetitions;
}

std::uint64_t num_complete(const std::vector<CaseResult>& cases) {
  std::uint64_t sum = 0;
  for (const CaseResult& of_case : cases) sum += of_case.num_repetitions;
  return sum;
}

bool is_complete(const Bench& bench) {
  const std::vector<CaseResult>& cases = bench.kept.cases;
  return cases.size() == bench.plan.cases.size() &&
         std::all_of(cases.begin(), cases.end(), [&](const CaseResult& of_case) {
           return of_case.num_repetitions >= bench.plan.settings.num_repetitions;
         });
}

/// Prints the expected time before the long benchmark starts.
void print_estimate(const Bench& bench) {
  const BenchSettings& settings = bench.plan.settings;
  const double seconds = estimate_seconds(bench.plan, bench.kept.cases, InterruptWatch::flag());
  std::string text = fmt::format(
      "{}, n = {}, {}", plural(bench.plan.cases.front().plans.size(), "filter"),
      joined(settings.num_keys, grouped, "; "), plural(settings.num_repetitions, "repetition"));
  const std::uint64_t num_kept = num_complete(bench.kept.cases);
  if (num_kept > 0) {
    text += fmt::format(", {} of {} kept in {}", grouped(num_kept),
                        grouped(num_requested(bench.plan)), bench.file->string());
  }
  print_message(fmt::format("{}: about {}", text, duration_text(seconds)));
}

std::string json_text(const BenchResult& result, const std::string& started) {
  return to_json(result, started).dump(1) + "\n";
}

BenchResult run(const Bench& bench) {
  if (is_complete(bench)) {
    print_message(bench.file->string() +
                  " contains all repetitions; a larger --repetitions adds further ones, and "
                  "--fresh measures all of them again");
    return {.plan = bench.plan, .cases = bench.kept.cases};
  }
  try {
    print_estimate(bench);
  } catch (const Interrupted&) {
    return {.plan = bench.plan, .cases = bench.kept.cases, .was_interrupted = true};
  }
  ProgressLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  return run_bench(
      bench.plan, bench.kept.cases, InterruptWatch::flag(),
      {.progress = [&](const BenchProgress& progress) { line.show(as_sweep(progress)); },
       .repetition =
           [&](const BenchResult& result) {
             if (bench.file) replace_file(*bench.file, json_text(result, bench.kept.started));
           }});
}

/// Removes the charts of an earlier benchmark, because the old charts do not match the new times.
void remove_charts(const fs::path& folder) {
  for (const std::string& keys : all_bench_keys()) {
    for (const char* ending : {".vl.json", ".svg", ".png", ".txt"}) {
      std::error_code ignored;
      fs::remove(folder / (chart_name(keys) + ending), ignored);
    }
  }
}

/// Writes the charts of the results, and pictures of the charts if the renderer is installed.
void write_charts(const BenchResult& result, const fs::path& folder) {
  remove_charts(folder);
  const std::vector<chart::Chart> charts = make_bench_charts(result);
  for (const chart::Chart& chart : charts) {
    replace_file(folder / (chart.name + ".vl.json"),
                 chart::to_text(chart::with_data(chart), 1) + "\n");
  }
  const fs::path assets = chart::assets_folder();
  if (!chart::load_chart_runtime(assets)) {
    print_message("charts are not drawn, because the chart runtime is not installed; run: " +
                  chart::install_command(assets));
    return;
  }
  chart::export_charts(charts, folder, {.formats = {"svg", "png"}}, assets);
}

/// Returns whether a filter has a false negative, and prints each such filter. A filter with false
/// negatives is incorrect, however fast it is.
bool has_false_negatives(const BenchResult& result) {
  bool found = false;
  for (const CaseResult& bench_case : result.cases) {
    for (const TargetResult& target : bench_case.targets) {
      if (target.num_false_negatives == 0) continue;
      print_message(fmt::format("{} at {} keys reported {} members as absent", target.plan.name,
                                grouped(bench_case.num_keys), grouped(target.num_false_negatives)));
      found = true;
    }
  }
  return found;
}

/// Returns a phrase about the repetitions that an interrupted run keeps.
std::string what_is_kept(const Bench& bench, const BenchResult& result) {
  const std::uint64_t num_kept = num_complete(result.cases);
  if (num_kept == 0) return "results are not kept, because no repetition was completed";
  const std::string share =
      fmt::format("{} of {}", grouped(num_kept), plural(num_requested(bench.plan), "repetition"));
  if (!bench.file) return share + " shown; use --out DIR to keep them and resume the benchmark";
  return fmt::format("{} kept in {}; the same command resumes the benchmark", share,
                     bench.file->string());
}

/// Prints the warnings of a comparison on standard error. Returns the exit code.
int answer_of(const BenchComparison& comparison) {
  for (const std::string& warning : comparison.warnings) print_message("warning: " + warning);
  return comparison.count(Change::kSlower) > 0 ? kAnswerIsNo : kDone;
}

int compare_files(const BenchOptions& options) {
  const BenchComparison comparison = compare_bench(read_stored_bench(options.compared.front()),
                                                   read_stored_bench(options.compared.back()));
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"comparison", to_json(comparison)}}.dump(1) << '\n';
  } else {
    print_comparison(comparison, std::cout);
  }
  return answer_of(comparison);
}

BenchComparison comparison_with(const StoredBench& before, const BenchResult& result,
                                const Bench& bench) {
  return compare_bench(before, stored_bench(to_json(result, bench.kept.started), "this run"));
}

void print(const BenchResult& result, const std::optional<BenchComparison>& comparison,
           const Bench& bench, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json json = to_json(result, bench.kept.started);
    if (comparison) json["comparison"] = to_json(*comparison);
    std::cout << json.dump(1) << '\n';
    return;
  }
  print_bench(result);
  if (!comparison) return;
  std::cout << '\n';
  print_comparison(*comparison, std::cout);
}

/// Throws ConfigError if a comparison with the plan would not have a row, before the long benchmark
/// starts.
void require_common_target(const StoredBench& before, const BenchPlan& plan) {
  for (const auto& [name, times] : before.rows) {
    for (const BenchCase& bench_case : plan.cases) {
      if (name.num_keys != bench_case.num_keys || name.keys != bench_case.keys) continue;
      for (const TargetPlan& target : bench_case.plans) {
        if (target.name == name.target) return;
      }
    }
  }
  throw ConfigError(fmt::format(
      "--compare must contain a filter with the -n and --keys of this benchmark, got {}",
      before.name));
}

}  // namespace

int bench_command(const BenchOptions& options) {
  if (options.compared.size() == 2) return compare_files(options);
  std::optional<StoredBench> before;
  if (!options.compared.empty()) before = read_stored_bench(options.compared.front());
  const std::string kept =
      options.out ? "completed repetitions are kept in " + (*options.out / "bench.json").string()
                  : "results are not kept";
  InterruptWatch watch(kept, InterruptWatch::kGrace);
  const Bench bench = prepare(options);
  if (before) require_common_target(*before, bench.plan);
  const BenchResult result = run(bench);
  std::optional<BenchComparison> comparison;
  if (before && !result.was_interrupted) comparison = comparison_with(*before, result, bench);
  if (!result.cases.empty()) print(result, comparison, bench, options.json);
  if (result.was_interrupted) return watch.say_interrupted(what_is_kept(bench, result));
  if (options.out) write_charts(result, *options.out);
  const int answer = comparison ? answer_of(*comparison) : kDone;
  return has_false_negatives(result) ? kAnswerIsNo : answer;
}

}  // namespace bloometry
