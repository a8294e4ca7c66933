#include "experiments/report/write_report.hpp"

#include <fmt/core.h>
#include <system_error>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/csv.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/report/chart_csv.hpp"
#include "experiments/report/page.hpp"
#include "experiments/report/row_marks.hpp"

namespace bloometry::report {
namespace {

namespace fs = std::filesystem;
using chart::Chart;

fs::path make_charts_folder(const fs::path& run_folder) {
  const fs::path folder = run_folder / "charts";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error == std::errc::not_a_directory) {
    throw ConfigError(fmt::format("{} must be a folder, got {}", folder.string(),
                                  kind_text(fs::status(folder).type())));
  }
  if (error) throw IoError(fmt::format("{}: {}", folder.string(), error.message()));
  return folder;
}

void write_points(const ChartSet& charts, std::span<const SummaryRow> rows,
                  const fs::path& folder) {
  for (const Chart& chart : charts.charts) {
    replace_file(folder / (chart.name + ".csv"), chart_csv(chart, row_records(rows)));
    chart::write_caption(chart, folder);
  }
}

}  // namespace

WrittenReport write_report(const RunData& run, std::span<const SummaryRow> rows,
                           const Verdict& verdict, const ChartSet& charts,
                           std::span<const CheckedFile> files, const chart::ExportRequest& pictures,
                           bool with_csv) {
  // The hash is required, because a table without a hash may belong to an incomplete run.
  const fs::path trials = run.folder / "trials.csv";
  if (!has_trials_hash(run.manifest) || !fs::exists(trials)) {
    replace_file(trials, trials_csv(run.rows));
  }
  replace_file(run.folder / "summary.csv", summary_csv(rows));
  const fs::path folder = make_charts_folder(run.folder);
  for (const Chart& chart : charts.charts) {
    replace_file(folder / (chart.name + ".vl.json"),
                 chart::to_text(chart::with_data(chart, row_records(rows)), 1) + "\n");
  }

  if (with_csv) write_points(charts, rows, folder);

  const fs::path assets = chart::assets_folder();
  const std::optional<chart::ChartRuntime> runtime = chart::load_chart_runtime(assets);
  const WrittenReport written{.page = run.folder / "report.html", .drawn = runtime.has_value()};
  const PageInput page{
      .run = run, .rows = rows, .verdict = verdict, .charts = charts, .files = files};
  replace_file(written.page, make_page(page, page_folder(), runtime));
  chart::export_charts(charts.charts, folder, pictures, assets);
  return written;
}

}  // namespace bloometry::report
