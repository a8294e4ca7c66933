#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "experiments/bench/bench_chart.hpp"
#include "experiments/bench/bench_json.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/run_bench.hpp"
#include "experiments/bench/summary.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/chart/export_charts.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/message.hpp"
#include "experiments/cli/progress_line.hpp"
#include "experiments/cli/text_table.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/machine/machine.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;
using namespace bench;

/// Asked by making a file, which finds a file system that is read-only too.
void require_writable(const fs::path& folder) {
  const fs::path trial = folder / ".bench.json.tmp";
  const int fd = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    throw ConfigError("--out must be a folder that can be written to, got " + folder.string() +
                      ": " + std::strerror(errno));
  }
  ::close(fd);
  std::error_code ignored;
  fs::remove(trial, ignored);
}

/// Before minutes are spent: can the results be kept?
void make_out_folder(const fs::path& folder) {
  if (folder.empty()) throw ConfigError("--out must not be empty");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw ConfigError("--out must be a folder that can be made, got " + folder.string() + ": " +
                      (error ? error.message() : "it is a file"));
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

BenchResult run(const BenchPlan& plan) {
  ProgressLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  return run_bench(plan, InterruptWatch::flag(),
                   [&](const BenchProgress& progress) { line.show(as_sweep(progress)); });
}

std::string decimals(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

/// Three digits, as many as timings hold.
std::string ns_text(double ns) {
  return decimals(ns, ns < 10 ? 2 : ns < 100 ? 1 : 0);
}

std::string range_text(const Spread& spread) {
  return ns_text(spread.min) + " - " + ns_text(spread.max);
}

std::string keys_text(KeyKind keys) {
  return keys == KeyKind::kInteger ? "64-bit integers" : "strings of 20 bytes";
}

std::string rate_text(const SubjectResult& subject) {
  if (subject.num_absent_queries == 0) return "not asked";
  return decimals(100 * static_cast<double>(subject.num_false_positives) /
                      static_cast<double>(subject.num_absent_queries),
                  4) +
         " %";
}

std::string counts_text(const SubjectResult& subject) {
  if (subject.num_absent_queries == 0) return "";
  return grouped(subject.num_false_positives) + " of " + grouped(subject.num_absent_queries);
}

void print_subjects(const CaseResult& bench_case) {
  TextTable table({{"filter", true},
                   {"hash", true},
                   {"bits/key"},
                   {"memory"},
                   {"k"},
                   {"false positives"},
                   {"counted"}});
  for (const SubjectResult& subject : bench_case.subjects) {
    table.add(
        {subject.plan.name + (subject.plan.is_peer ? " *" : ""), subject.plan.hash,
         decimals(static_cast<double>(subject.num_bits) / static_cast<double>(bench_case.num_keys),
                  2),
         memory_text(subject.num_bits),
         subject.plan.num_hashes == 0 ? "-" : std::to_string(subject.plan.num_hashes),
         rate_text(subject), counts_text(subject)});
  }
  table.print(std::cout);
}

/// Time, range and ratio of one figure; empty cells if it was not measured.
void add_figure(std::vector<std::string>& cells, const SubjectResult& subject, Op op, Call call) {
  const auto found = subject.ns_per_key.find({op, call});
  if (found == subject.ns_per_key.end()) {
    cells.insert(cells.end(), {"-", "", ""});
    return;
  }
  const Spread time = spread_of(found->second);
  const Spread ratio = ratio_to_floor(found->second, subject.floor(op, call));
  cells.insert(cells.end(), {ns_text(time.median), range_text(time), ns_text(ratio.median)});
}

bool is_measured(const SubjectResult& subject, Op op) {
  return subject.ns_per_key.contains({op, Call::kSingle});
}

void print_op(const CaseResult& bench_case, Op op) {
  TextTable table({{std::string(name_of(op)), true},
                   {"single"},
                   {"min - max"},
                   {"x floor"},
                   {"  batch"},
                   {"min - max"},
                   {"x floor"}});
  for (const SubjectResult& subject : bench_case.subjects) {
    if (!is_measured(subject, op)) continue;
    std::vector<std::string> cells = {subject.plan.name + (subject.plan.is_peer ? " *" : "")};
    for (const Call call : kAllCalls) add_figure(cells, subject, op, call);
    table.add(std::move(cells));
  }
  if (table.empty()) return;
  std::cout << '\n';
  table.print(std::cout);
}

/// The floors of the smallest and the largest filter, that the ratios can be turned back into ns.
void print_floors(const CaseResult& bench_case) {
  TextTable table({{"floor: one random line", true},
                   {"array"},
                   {"read"},
                   {"read, prefetched"},
                   {"update"},
                   {"update, prefetched"}});
  const auto by_size = [](const SubjectResult& a, const SubjectResult& b) {
    return a.num_bits < b.num_bits;
  };
  const auto [least, most] =
      std::minmax_element(bench_case.subjects.begin(), bench_case.subjects.end(), by_size);
  for (const auto& [subject, name] :
       {std::pair(least, "ns, smallest filter"), std::pair(most, "ns, largest filter")}) {
    std::vector<std::string> cells = {name, memory_text(subject->num_bits)};
    for (const Repetitions& floor : subject->floor_ns) {
      cells.push_back(ns_text(spread_of(floor).median));
    }
    table.add(std::move(cells));
    if (least == most) break;
  }
  std::cout << '\n';
  table.print(std::cout);
}

/// What the machine's other work did to the times.
void print_left_out(const CaseResult& bench_case) {
  std::uint64_t num_blocks = 0;
  std::uint64_t num_left_out = 0;
  for (const SubjectResult& subject : bench_case.subjects) {
    num_blocks += subject.num_laps;
    num_left_out += subject.num_preempted_laps;
  }
  std::cout << '\n'
            << grouped(num_left_out) << " of " << grouped(num_blocks)
            << " blocks of keys left out: other programs took the core meanwhile\n";
}

void print_case(const BenchResult& result, const CaseResult& bench_case) {
  std::cout << "\n== " << grouped(bench_case.num_keys) << " keys, " << keys_text(bench_case.keys)
            << "\n\n";
  for (const SubjectPlan& plan : bench_case.refused) {
    std::cout << plan.name << " left out: " << plan.refusal << '\n';
  }
  if (bench_case.subjects.empty()) return;
  print_subjects(bench_case);
  for (const Op op : result.plan.ops) print_op(bench_case, op);
  print_floors(bench_case);
  print_left_out(bench_case);
}

/// What a table that is passed on must say: times are this machine's and this build's.
void print_machine() {
  const nlohmann::json machine = describe_build_and_machine();
  const auto text = [&](const char* field) { return machine.at(field).get<std::string>(); };
  std::cout << text("cpu");
  for (const auto& cache : machine.at("caches")) std::cout << ", " << cache.get<std::string>();
  std::cout << '\n'
            << text("compiler") << ' ' << text("build_type") << ", instructions " << text("isa")
            << ", bloometry " << text("version") << " at " << text("git_revision") << "\n\n";
}

void print_legend(const BenchResult& result) {
  const BenchSettings& settings = result.plan.settings;
  const bool has_peer =
      std::any_of(result.cases.begin(), result.cases.end(), [](const CaseResult& bench_case) {
        return std::any_of(bench_case.subjects.begin(), bench_case.subjects.end(),
                           [](const SubjectResult& subject) { return subject.plan.is_peer; });
      });
  std::cout << "Nanoseconds per key, hashing included: median and range of "
            << settings.num_repetitions
            << " repetitions, all filters interleaved.\n"
               "single: one call a key. batch: one call for "
            << grouped(kBlockKeys)
            << " keys. x floor: how many times one random 64-byte line of as large an array\n"
               "(read, or updated by insert and erase; prefetched for batch). negative: absent "
               "keys; positive: members; mix: half of each.\n";
  if (has_peer) std::cout << "*: another library's filter, hashing and sized its own way.\n";
}

void print_text(const BenchResult& result) {
  print_machine();
  print_legend(result);
  for (const CaseResult& bench_case : result.cases) print_case(result, bench_case);
}

/// Charts of an earlier bench would stand beside numbers that they do not show.
void remove_charts(const fs::path& folder) {
  for (const KeyKind keys : kAllKeyKinds) {
    for (const char* ending : {".vl.json", ".svg", ".png", ".txt"}) {
      std::error_code ignored;
      fs::remove(folder / (chart_name(keys) + ending), ignored);
    }
  }
}

/// bench.json and charts; drawings where what draws them is installed.
void write_files(const BenchResult& result, const fs::path& folder, const std::string& json) {
  remove_charts(folder);
  replace_file(folder / "bench.json", json);
  const std::vector<chart::Chart> charts = make_bench_charts(result);
  for (const chart::Chart& chart : charts) {
    replace_file(folder / (chart.name + ".vl.json"),
                 chart::to_text(chart::with_data(chart), 1) + "\n");
  }
  const fs::path assets = chart::assets_folder();
  if (!chart::load_chart_runtime(assets)) {
    print_message("charts are not drawn, because what draws them is not installed; run: " +
                  chart::install_command(assets));
    return;
  }
  chart::export_charts(charts, folder, {.formats = {"svg", "png"}}, assets);
}

/// A filter that forgets a key is no filter, however fast.
bool has_false_negatives(const BenchResult& result) {
  bool found = false;
  for (const CaseResult& bench_case : result.cases) {
    for (const SubjectResult& subject : bench_case.subjects) {
      if (subject.num_false_negatives == 0) continue;
      print_message(subject.plan.name + " at " + grouped(bench_case.num_keys) + " keys denied " +
                    grouped(subject.num_false_negatives) + " members");
      found = true;
    }
  }
  return found;
}

}  // namespace

int bench_command(const BenchOptions& options) {
  constexpr const char* kNothingKept = "nothing is kept";
  InterruptWatch watch(kNothingKept, InterruptWatch::kGrace);
  const BenchPlan plan = make_bench_plan(options.settings, all_subjects(), machine_memory_bytes());
  if (options.out) make_out_folder(*options.out);
  const std::string started = utc_now();
  const BenchResult result = run(plan);
  if (result.was_interrupted) return watch.say_interrupted(kNothingKept);
  const std::string json = to_json(result, started).dump(1) + "\n";
  if (options.json) {
    std::cout << json;
  } else {
    print_text(result);
  }
  if (options.out) write_files(result, *options.out, json);
  return has_false_negatives(result) ? kAnswerIsNo : kDone;
}

}  // namespace bloometry
