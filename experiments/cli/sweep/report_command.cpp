#include <unistd.h>

#include <fmt/core.h>
#include <iostream>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/cli/sweep/report_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/report/bench_times.hpp"
#include "experiments/report/write_report.hpp"
#include "experiments/verdict/conclusion.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

namespace {

/// Warns of changed files. The command still writes the report, because the report describes the
/// existing rows correctly.
void warn_of_changed_files(const RunData& run, const std::vector<CheckedFile>& files) {
  if (!has_faults(files)) return;
  print_message(fmt::format(
      "files of the run were changed since they were written: `bloometry verify {}` lists them",
      run.folder.string()));
}

struct Compared {
  Verdict verdict;
  std::vector<SummaryRow> rows;
};

Compared compare_with_theory(const RunData& run) {
  RowsLine line(std::cerr, ::isatty(STDERR_FILENO) != 0);
  const auto workers = [&line](const char* what) {
    return Workers{.num_threads = num_usable_cpus(),
                   .observe = [&line, what](std::size_t num_done, std::size_t num_all) {
                     line.show(what, num_done, num_all);
                   }};
  };
  Verdict verdict = judge(run, kDefaultFalseAlarm, workers("testing rows"));
  std::vector<SummaryRow> rows = summarise(verdict, workers("summarising points"));
  return {.verdict = std::move(verdict), .rows = std::move(rows)};
}

/// Throws ConfigError if a requested chart was not drawn. Without the check, the picture of an
/// earlier report could be mistaken for the requested chart.
void require_drawn(const report::ChartSet& set) {
  ProblemCollector problems;
  for (const report::OmittedChart& chart : set.omitted) {
    problems.collect([&] {
      throw ConfigError("--charts",
                        fmt::format("must be charts for which this run has data, got '{}': {}",
                                    chart.name, chart.reason));
    });
  }
  problems.throw_if_any();
}

}  // namespace

int report_command(const ReportOptions& options) {
  const InterruptWatch watch(
      "every file of the report is complete: either the old file or the new one");
  const RunData run = read_run(options.folder);
  const std::vector<CheckedFile> files = check_files(run);
  const auto [verdict, rows] = compare_with_theory(run);
  const report::ChartSet charts =
      report::make_charts(run.config, rows, verdict,
                          {.names = options.charts,
                           .facet = options.facet,
                           .bench = report::read_bench_times(options.bench, rows)});
  if (!options.charts.empty()) require_drawn(charts);
  const report::WrittenReport written =
      report::write_report(run, rows, verdict, charts, files, options.exported);
  warn_of_changed_files(run, files);
  if (!written.drawn) {
    print_message(
        "report.html does not have charts, because the chart runtime is not installed; run: " +
        chart::install_command(chart::assets_folder()));
  }
  std::cout << written.page.string() << '\n';
  return kDone;
}

}  // namespace bloometry
