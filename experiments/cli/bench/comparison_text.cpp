#include "experiments/cli/bench/comparison_text.hpp"

#include <cmath>
#include <fmt/core.h>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/bench/key_block.hpp"
#include "experiments/cli/bench/bench_text.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using namespace bench;

std::string interval_text(const statistics::Interval& interval) {
  if (!std::isfinite(interval.upper)) return "unknown";
  return fmt::format("{} - {}", ns_text(interval.lower), ns_text(interval.upper));
}

std::string title_of(const RowName& name) {
  const std::string title = fmt::format("{}, {}", name.op, name.call);
  return name.num_threads == 1 ? title : fmt::format("{}, {} threads", title, name.num_threads);
}

/// The members that rows of one table have in common.
auto table_of(const RowName& name) {
  return std::tie(name.num_keys, name.keys, name.op, name.call, name.num_threads);
}

auto case_of(const RowName& name) {
  return std::tie(name.num_keys, name.keys);
}

std::string case_text(const RowName& name) {
  return fmt::format("== {}, {}", plural(name.num_keys, "key"), describe_keys(name.keys));
}

void print_bench_name(const char* which, const StoredBench& bench, std::ostream& out) {
  out << which << bench.name << ", " << bench.started << ", bloometry " << bench.version << " at "
      << bench.git_revision << '\n';
}

/// Prints the tables of consecutive rows. The rows are sorted by table.
void print_tables(const std::vector<ComparedRow>& rows, std::ostream& out) {
  for (auto first = rows.begin(); first != rows.end();) {
    if (first == rows.begin() || case_of(first->name) != case_of(std::prev(first)->name)) {
      out << '\n' << case_text(first->name) << '\n';
    }
    TextTable table({{title_of(first->name), true},
                     {"before"},
                     {"after"},
                     {"ratio"},
                     {"interval"},
                     {"verdict", true}});
    auto last = first;
    for (; last != rows.end() && table_of(last->name) == table_of(first->name); ++last) {
      table.add({last->name.target, ns_text(last->before_ns), ns_text(last->after_ns),
                 ns_text(last->estimate.ratio), interval_text(last->estimate.interval),
                 last->change == Change::kNotShown ? "-" : std::string(name_of(last->change))});
    }
    out << '\n';
    table.print(out);
    first = last;
  }
}

/// Returns a sentence with the size of the changes that the comparison could have shown.
std::string shown_ratio_text(const BenchComparison& comparison) {
  const double ratio = comparison.smallest_shown_ratio();
  if (!std::isfinite(ratio)) return "Half of the rows cannot show a difference of any size.";
  return fmt::format("Half of the rows would have shown a ratio above {} or below {}.",
                     ns_text(ratio), ns_text(1 / ratio));
}

void print_names(const char* which, const std::vector<RowName>& names, std::ostream& out) {
  if (names.empty()) return;
  out << '\n' << which << ":\n";
  for (const RowName& name : names) {
    out << "  " << name.target << ": " << title_of(name) << ", " << plural(name.num_keys, "key")
        << ", " << name.keys << '\n';
  }
}

}  // namespace

void print_comparison(const BenchComparison& comparison, std::ostream& out) {
  const FittedLines fitted(out);
  print_bench_name("before: ", comparison.before, out);
  print_bench_name("after:  ", comparison.after, out);
  out << "\nNanoseconds per key: geometric means. ratio: after / before, with an interval.\n"
         "faster, slower: the interval excludes 1. -: no difference shown.\n"
         "If no time changed, the probability of any faster or slower is at most "
      << percent(kFamilyWiseError) << ".\n"
      << (comparison.is_by_runs
              ? "The intervals are those of the means of the runs.\n"
              : "The verdicts hold for these two processes: their intervals are of repetitions.\n"
                "With --out DIR and a larger --repetitions, further runs are added and "
                "compared.\n");
  print_tables(comparison.rows, out);
  print_names("only before", comparison.only_before, out);
  print_names("only after", comparison.only_after, out);
  out << '\n'
      << plural(comparison.count(Change::kSlower), "row") << " slower, "
      << grouped(comparison.count(Change::kFaster)) << " faster, "
      << grouped(comparison.count(Change::kNotShown)) << " without a difference shown\n"
      << shown_ratio_text(comparison) << '\n';
}

}  // namespace bloometry
