#include "experiments/report/write_report.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <system_error>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/chart/export_charts.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/csv.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/report/charts.hpp"
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
  if (error == std::errc::not_a_directory) throw ConfigError(folder.string() + " must be a folder");
  if (error) throw IoError(folder.string() + ": " + error.message());
  return folder;
}

/// The chart that a file in charts/ belongs to; empty if it is none of ours.
std::string chart_of(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const std::string_view ending : {".vl.json", ".svg", ".png", ".pdf"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return "";
}

/// Files of an earlier report would look like results of this one; so would its drawings beside new
/// data, which are drawn again only if asked for.
void remove_old_charts(const fs::path& folder, std::span<const Chart> charts) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = chart_of(entry.path());
    if (name.empty()) continue;
    const bool is_current =
        entry.path().extension() == ".json" &&
        std::any_of(charts.begin(), charts.end(), [&](const Chart& c) { return c.name == name; });
    std::error_code ignored;
    if (!is_current) fs::remove(entry.path(), ignored);
  }
}

void write_summary(const fs::path& path, std::span<const SummaryRow> rows) {
  std::ostringstream csv;
  write_summary_csv(csv, rows);
  replace_file(path, csv.str());
}

}  // namespace

WrittenReport write_report(const RunData& run, std::span<const SummaryRow> rows,
                           const Verdict& verdict, const std::vector<std::string>& formats) {
  // A table without a hash may be that of an incomplete run.
  const fs::path trials = run.folder / "trials.csv";
  if (!has_trials_hash(run.manifest) || !fs::exists(trials)) {
    replace_file(trials, trials_csv(run.rows));
  }
  write_summary(run.folder / "summary.csv", rows);
  const ChartSet set = make_charts(run.config, rows, verdict);
  const fs::path folder = make_charts_folder(run.folder);
  for (const Chart& chart : set.charts) {
    replace_file(folder / (chart.name + ".vl.json"),
                 chart::to_text(chart::with_data(chart, row_records(rows)), 1) + "\n");
  }
  remove_old_charts(folder, set.charts);

  const fs::path assets = chart::assets_folder();
  const std::optional<chart::ChartRuntime> runtime = chart::load_chart_runtime(assets);
  const WrittenReport written{.page = run.folder / "report.html", .drawn = runtime.has_value()};
  const PageInput page{.run = run, .rows = rows, .verdict = verdict, .charts = set};
  replace_file(written.page, make_page(page, page_folder(), runtime));
  chart::export_charts(set.charts, folder, formats, assets);
  return written;
}

}  // namespace bloometry::report
