#include <unistd.h>

#include <fmt/core.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/cli/sweep/report_options.hpp"
#include "experiments/cli/sweep/sweep_folders.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/progress_line.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/plan/axis_conflicts.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/report/bench_times.hpp"
#include "experiments/report/fixed_values.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/write_report.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
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

/// Warns of an unfinished run. The charts then describe only a part of the config.
void warn_of_missing_units(const RunData& run) {
  if (run.num_finished_units == run.num_units) return;
  print_message(fmt::format("warning: the run is unfinished: the report describes {} of {}",
                            grouped(run.num_finished_units), plural(run.num_units, "unit")));
  std::cerr << printable(resume_text(run.folder, run.config), kMaxCommand) << '\n';
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

/// Throws ConfigError if --series names the axis of --facet, or if no point has the values of
/// --fix. Conflicts with the axes of charts are in the ChartSet.
void check_choices(const ReportOptions& options, const RunData& run,
                   std::span<const SummaryRow> rows) {
  if (!options.series.empty() && is_same_axis(options.series, options.facet)) {
    throw ConfigError("--series",
                      fmt::format("must be another axis than --facet, got '{}'", options.series));
  }
  report::RowSelection selection(report::all_rows(rows));
  const report::Wording wording(rows, key_labels(run.config));
  const std::string problem = report::fix_values(selection, options.fix, wording);
  if (!problem.empty()) throw ConfigError("--fix", problem);
}

/// Throws ConfigError if a chart already uses the axis of --series, --facet or --fix otherwise.
void require_free_axes(const report::ChartSet& set) {
  std::map<std::pair<std::string, std::string>, std::vector<AxisConflict>> of_option;
  for (const AxisConflict& conflict : set.conflicts) {
    of_option[{conflict.field, conflict.axis}].push_back(conflict);
  }
  ProblemCollector problems;
  for (const auto& [option, conflicts] : of_option) {
    problems.collect(
        [&] { throw ConfigError("--" + option.first, conflict_text(conflicts, '\'')); });
  }
  problems.throw_if_any();
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

/// Returns the formats of the exported files.
std::vector<std::string> formats_of(const ReportOptions& options) {
  std::vector<std::string> formats = options.pictures.formats;
  if (options.with_csv) formats.emplace_back("csv");
  return formats;
}

/// Returns the names of the files that the report consists of, relative to the run folder.
std::vector<std::string> file_names(const report::ChartSet& charts,
                                    const std::vector<std::string>& formats) {
  std::vector<std::string> names = {"summary.csv", "report.html"};
  for (const chart::Chart& chart : charts.charts) {
    const std::string stem = "charts/" + chart.name;
    names.push_back(stem + ".vl.json");
    for (const std::string& format : formats) names.push_back(stem + "." + format);
    if (!formats.empty()) names.push_back(stem + ".txt");
  }
  return names;
}

void print_json(const RunData& run, std::string_view verdict, std::size_t num_points,
                const report::ChartSet& charts, const report::WrittenReport& written,
                const std::vector<std::string>& formats) {
  nlohmann::ordered_json json = {{"folder", run.folder.string()},
                                 {"name", run.config.name},
                                 {"page", written.page.string()},
                                 {"verdict", verdict},
                                 {"complete", run.num_finished_units == run.num_units},
                                 {"num_units", run.num_units},
                                 {"num_finished_units", run.num_finished_units},
                                 {"num_rows", run.rows.size()},
                                 {"num_points", num_points},
                                 {"page_has_charts", written.drawn},
                                 {"omitted_charts", nlohmann::ordered_json::object()},
                                 {"files", file_names(charts, formats)}};
  for (const report::OmittedChart& chart : charts.omitted) {
    json["omitted_charts"][chart.name] = chart.reason;
  }
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

/// Throws ConfigError for picture options without a picture.
void require_pictures(const ReportOptions& options) {
  const bool has_style = options.pictures.style != chart::ExportStyle{};
  if (!options.pictures.formats.empty() || !has_style) return;
  throw ConfigError("--export",
                    "with --figure, --width or --font-size must contain svg, png or pdf, got csv");
}

}  // namespace

int report_command(const ReportOptions& options) {
  const InterruptWatch watch(
      "every file of the report is complete: either the old file or the new one");
  require_pictures(options);
  require_no_folder_of_runs(options.folder, "report");
  const RunData run = read_run(options.folder);
  const std::vector<CheckedFile> files = check_files(run);
  const auto [verdict, rows] = compare_with_theory(run);
  check_choices(options, run, rows);
  const report::ChartSet charts =
      report::make_charts(run.config, rows, verdict,
                          {.names = options.charts,
                           .facet = options.facet,
                           .series = options.series,
                           .fix = options.fix,
                           .bench = report::read_bench_times(options.bench, rows)});
  require_free_axes(charts);
  if (!options.charts.empty()) require_drawn(charts);
  const report::WrittenReport written =
      report::write_report(run, rows, verdict, charts, files, options.pictures, options.with_csv);
  for (const std::string& warning : charts.warnings) print_message(warning);
  warn_of_changed_files(run, files);
  warn_of_missing_units(run);
  if (!written.drawn) {
    print_message(
        "report.html does not have charts, because the chart runtime is not installed; run: " +
        chart::install_command(chart::assets_folder()));
  }
  if (options.json) {
    print_json(run, name_of(conclude(verdict, files)), rows.size(), charts, written,
               formats_of(options));
  } else {
    std::cout << written.page.string() << '\n';
  }
  return kDone;
}

}  // namespace bloometry
