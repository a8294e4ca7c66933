#include "experiments/cli/bench/bench_text.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "experiments/bench/key_block.hpp"
#include "experiments/bench/summary.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/process/machine.hpp"

namespace bloometry {
namespace {

using namespace bench;

std::string range_text(const Spread& spread) {
  return fmt::format("{} - {}", ns_text(spread.min), ns_text(spread.max));
}

std::string rate_text(const TargetResult& target) {
  if (target.num_absent_queries == 0) return "not measured";
  return fmt::format("{:.4f} %", 100 * static_cast<double>(target.num_false_positives) /
                                     static_cast<double>(target.num_absent_queries));
}

std::string counts_text(const TargetResult& target) {
  if (target.num_absent_queries == 0) return "";
  return fmt::format("{} of {}", grouped(target.num_false_positives),
                     grouped(target.num_absent_queries));
}

std::string name_in_table(const TargetPlan& plan) {
  return plan.name + (plan.is_peer ? " *" : "");
}

void print_targets(const CaseResult& bench_case) {
  TextTable table({{"filter", true},
                   {"hash", true},
                   {"bits/key"},
                   {"memory"},
                   {"k"},
                   {"false positives"},
                   {.title = "counted", .is_extra = true}});
  for (const TargetResult& target : bench_case.targets) {
    table.add({name_in_table(target.plan), target.plan.hash,
               fmt::format("{:.2f}", static_cast<double>(target.num_bits) /
                                         static_cast<double>(bench_case.num_keys)),
               memory_text(target.num_bits),
               target.plan.num_hashes == 0 ? "-" : std::to_string(target.plan.num_hashes),
               rate_text(target), counts_text(target)});
  }
  table.print(std::cout);
  for (const TargetResult& target : bench_case.targets) {
    if (!target.plan.initial_capacity) continue;
    std::cout << fmt::format("{} has an initial capacity of {}\n", target.plan.name,
                             plural(*target.plan.initial_capacity, "key"));
  }
}

/// Returns the ratio of one thread's time to its floor, or the speed-up of several threads over one
/// thread.
Spread ratio_of(const TargetResult& target, const Figure& figure, const Repetitions& times) {
  if (figure.num_threads == 1) return spread_of_ratios(times, target.floor(figure.op, figure.call));
  return spread_of_ratios(target.ns_per_key.at({figure.op, figure.call}), times);
}

/// Adds the cells for time, range and ratio of one figure. If the figure was not measured, the
/// first cell is "-" and the others are empty.
void add_figure(std::vector<std::string>& cells, const TargetResult& target, const Figure& figure) {
  const auto found = target.ns_per_key.find(figure);
  if (found == target.ns_per_key.end()) {
    cells.insert(cells.end(), {"-", "", ""});
    return;
  }
  const Spread time = spread_of(found->second);
  cells.insert(cells.end(), {ns_text(time.median), range_text(time),
                             ns_text(ratio_of(target, figure, found->second).median)});
}

void print_op(const CaseResult& bench_case, Op op, unsigned num_threads) {
  const std::string title = num_threads == 1
                                ? std::string(name_of(op))
                                : fmt::format("{}, {} threads", name_of(op), num_threads);
  const std::string ratio = num_threads == 1 ? "x floor" : "speedup";
  TextTable table(
      {{title, true}, {"single"}, {"min - max"}, {ratio}, {"  batch"}, {"min - max"}, {ratio}});
  for (const TargetResult& target : bench_case.targets) {
    if (!target.ns_per_key.contains({op, Call::kSingle, num_threads})) continue;
    std::vector<std::string> cells = {name_in_table(target.plan)};
    for (const Call call : kAllCalls) add_figure(cells, target, {op, call, num_threads});
    table.add(std::move(cells));
  }
  if (table.empty()) return;
  std::cout << '\n';
  table.print(std::cout);
}

/// Prints the filters for which batch calls are faster or slower than single calls. A difference is
/// clear if the ranges of the repetitions do not overlap. A single repetition does not have a
/// range.
void print_when_batch_pays(const CaseResult& bench_case, Op op) {
  std::vector<std::string> faster;
  std::vector<std::string> slower;
  std::vector<std::string> equal;
  for (const TargetResult& target : bench_case.targets) {
    const auto batch = target.ns_per_key.find({op, Call::kBatch});
    if (batch == target.ns_per_key.end() || batch->second.size() < 2) continue;
    const Repetitions& single = target.ns_per_key.at({op, Call::kSingle});
    const Spread of_single = spread_of(single);
    const Spread of_batch = spread_of(batch->second);
    const std::string text = fmt::format("{} {} x", target.plan.name,
                                         ns_text(spread_of_ratios(single, batch->second).median));
    if (of_batch.max < of_single.min) {
      faster.push_back(text);
    } else if (of_single.max < of_batch.min) {
      slower.push_back(text);
    } else {
      equal.push_back(target.plan.name);
    }
  }
  if (!faster.empty()) std::cout << "batch is faster: " << joined(faster) << '\n';
  if (!slower.empty()) std::cout << "batch is slower: " << joined(slower) << '\n';
  if (!equal.empty()) std::cout << "no clear difference: " << joined(equal) << '\n';
}

/// Prints the floors of the smallest and the largest filter in ns. The floors allow readers to
/// convert ratios to ns.
void print_floors(const CaseResult& bench_case) {
  TextTable table({{"floor, ns", true},
                   {"array"},
                   {"read"},
                   {"read, prefetched"},
                   {"update"},
                   {"update, prefetched"}});
  const auto by_size = [](const TargetResult& a, const TargetResult& b) {
    return a.num_bits < b.num_bits;
  };
  const auto [least, most] =
      std::minmax_element(bench_case.targets.begin(), bench_case.targets.end(), by_size);
  for (const auto& [target, name] :
       {std::pair(least, "smallest filter"), std::pair(most, "largest filter")}) {
    std::vector<std::string> cells = {name, memory_text(target->num_bits)};
    for (const Repetitions& floor : target->floor_ns) {
      cells.push_back(ns_text(spread_of(floor).median));
    }
    table.add(std::move(cells));
    if (least == most) break;
  }
  std::cout << '\n';
  table.print(std::cout);
}

/// Prints the number of timings that were discarded because of other processes.
void print_left_out(const CaseResult& bench_case) {
  std::uint64_t num_blocks = 0;
  std::uint64_t num_left_out = 0;
  for (const TargetResult& target : bench_case.targets) {
    num_blocks += target.num_laps;
    num_left_out += target.num_preempted_laps;
  }
  std::cout << '\n'
            << grouped(num_left_out) << " of " << plural(num_blocks, "block")
            << " of keys are not counted, because other programs used the core meanwhile\n";
}

void print_case(const BenchResult& result, const CaseResult& bench_case) {
  std::cout << "\n== " << plural(bench_case.num_keys, "key") << ", "
            << describe_keys(bench_case.keys);
  if (bench_case.num_repetitions != result.plan.settings.num_repetitions) {
    std::cout << ", " << plural(bench_case.num_repetitions, "repetition");
  }
  std::cout << "\n\n";
  for (const TargetPlan& plan : bench_case.refused) {
    std::cout << plan.name << " is left out: " << plan.refusal << '\n';
  }
  if (bench_case.targets.empty()) return;
  print_targets(bench_case);
  for (const Op op : result.plan.ops) {
    print_op(bench_case, op, 1);
    print_when_batch_pays(bench_case, op);
    for (const unsigned num_threads : result.plan.settings.threads) {
      if (num_threads > 1) print_op(bench_case, op, num_threads);
    }
  }
  print_floors(bench_case);
  print_left_out(bench_case);
}

/// Prints the machine and the build. Times are meaningless without a description of the machine and
/// the build.
void print_machine() {
  const nlohmann::json machine = describe_build_and_machine();
  const auto text = [&](const char* field) { return machine.at(field).get<std::string>(); };
  std::cout << text("cpu");
  for (const auto& cache : machine.at("caches")) std::cout << ", " << cache.get<std::string>();
  std::cout << '\n'
            << text("compiler") << ' ' << text("build_type") << ' ' << text("compiler_flags")
            << ", instructions " << text("isa") << ", bloometry " << text("version") << " at "
            << text("git_revision") << "\n\n";
}

void print_legend(const BenchResult& result) {
  const BenchSettings& settings = result.plan.settings;
  const bool has_peer =
      std::any_of(result.cases.begin(), result.cases.end(), [](const CaseResult& bench_case) {
        return std::any_of(bench_case.targets.begin(), bench_case.targets.end(),
                           [](const TargetResult& target) { return target.plan.is_peer; });
      });
  std::cout << "Nanoseconds per key, hashing included: median and range of "
            << plural(settings.num_repetitions, "repetition")
            << ", all filters interleaved.\nsingle: one call per key. batch: one call for "
            << grouped(kBlockKeys)
            << " keys. x floor: the time divided by that of one random 64-byte line of an array of "
               "the same size\n(read, or updated for insert and erase; prefetched for batch). "
               "negative: absent keys; positive: members; mix: half of each.\n";
  if (settings.threads.size() > 1) {
    std::cout << "n threads: all threads query, or fill, the same filter concurrently; the keys of "
                 "all threads are counted together, and speedup is relative to one thread. "
                 "atomic_: filters that several threads may fill concurrently.\n";
  }
  if (has_peer)
    std::cout << "*: a filter of another library, with the hash and the size that this library "
                 "chooses.\n";
}

}  // namespace

std::string ns_text(double ns) {
  if (ns >= 1e6 || (ns > 0 && ns < 0.01)) return fmt::format("{:.2e}", ns);
  return fmt::format("{:.{}f}", ns, ns < 10 ? 2 : ns < 100 ? 1 : 0);
}

void print_bench(const BenchResult& result) {
  const FittedLines fitted(std::cout);
  print_machine();
  print_legend(result);
  for (const CaseResult& bench_case : result.cases) print_case(result, bench_case);
}

}  // namespace bloometry
