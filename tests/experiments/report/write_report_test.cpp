#include "experiments/report/write_report.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::test;
namespace fs = std::filesystem;

namespace {

/// Sets an environment variable during the lifetime of the object.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }

  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  ~Environment() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

report::WrittenReport write(HandMadeRun made, const fs::path& folder,
                            const chart::ExportRequest& pictures = {}, bool with_csv = false) {
  made.run.folder = folder;
  const report::ChartSet charts = report::make_charts(made.run.config, made.rows, made.verdict);
  return report::write_report(made.run, made.rows, made.verdict, charts, {}, pictures, with_csv);
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), folder).string());
  }
  return names;
}

}  // namespace

TEST_CASE("write_report: writes tables, charts and page, and no temporary files", "[report]") {
  const test::TempFolder folder;
  const report::WrittenReport written = write(one_series_run(), folder.path());
  CHECK(written.page == folder.path() / "report.html");
  CHECK(files_in(folder.path()) ==
        std::set<std::string>{
            "charts/fill.vl.json", "charts/p_value_qq.vl.json", "charts/rate_by_point.vl.json",
            "charts/rate_vs_n_over_capacity.vl.json", "report.html", "summary.csv", "trials.csv"});
}

TEST_CASE("write_report: writing again gives the same bytes", "[report]") {
  const test::TempFolder folder;
  (void)write(large_run(), folder.path());
  std::string first;
  for (const std::string& name : files_in(folder.path())) first += read_file(folder.path() / name);
  (void)write(large_run(), folder.path());
  std::string second;
  for (const std::string& name : files_in(folder.path())) second += read_file(folder.path() / name);
  CHECK(first == second);
}

TEST_CASE("write_report: trials.csv with a hash is written only if it is missing", "[report]") {
  const test::TempFolder folder;
  const auto table_after = [&](const char* name, const HandMadeRun& run) {
    (void)write(run, folder.path());
    return read_file(folder.path() / name);
  };
  HandMadeRun run = large_run();
  const std::string trials = table_after("trials.csv", run);
  const std::string summary = table_after("summary.csv", run);
  std::ofstream(folder.path() / "trials.csv") << "edited";
  std::ofstream(folder.path() / "summary.csv") << "edited";
  run.run.manifest["hashes"]["trials.csv"] = {{"xxh3_128", ""}, {"num_columns", 25}};
  CHECK(table_after("summary.csv", run) == summary);
  CHECK(table_after("trials.csv", run) == "edited");
  fs::remove(folder.path() / "trials.csv");
  CHECK(table_after("trials.csv", run) == trials);
  std::ofstream(folder.path() / "trials.csv") << "of an incomplete run";
  run.run.manifest.erase("hashes");
  CHECK(table_after("trials.csv", run) == trials);
}

TEST_CASE("write_report: replaces its own files and keeps all others", "[report]") {
  const test::TempFolder folder;
  (void)write(large_run(), folder.path());
  const std::set<std::string> before = files_in(folder.path());
  const std::string fill = read_file(folder.path() / "charts/fill.vl.json");
  for (const char* name : {"fill.png", "fill.svg", "rate_vs_n.pdf", "notes.txt", "old.vl.json"}) {
    std::ofstream(folder.path() / "charts" / name) << "of an earlier call";
  }
  const std::set<std::string> left = files_in(folder.path());
  REQUIRE(left.size() == before.size() + 5);
  std::ofstream(folder.path() / "charts/fill.vl.json") << "of an earlier call";
  (void)write(large_run(), folder.path());
  CHECK(files_in(folder.path()) == left);
  CHECK(read_file(folder.path() / "charts/fill.vl.json") == fill);
  CHECK(read_file(folder.path() / "charts/fill.png") == "of an earlier call");
  (void)write(empty_run(), folder.path());
  CHECK(files_in(folder.path()) == left);
}

TEST_CASE("write_report: without node_modules everything except the images is written",
          "[report]") {
  const test::TempFolder assets;
  const Environment chosen("BLOOMETRY_CHART_DIR", assets.path().string());
  const test::TempFolder folder;
  const report::WrittenReport written = write(one_series_run(), folder.path());
  CHECK_FALSE(written.drawn);
  CHECK(files_in(folder.path()).contains("charts/fill.vl.json"));
  CHECK(files_in(folder.path()).contains("summary.csv"));
  CHECK(read_file(written.page).find("npm ci --ignore-scripts") != std::string::npos);

  CHECK_THROWS_AS(write(one_series_run(), folder.path(), {.formats = {"svg"}}), IoError);
}

TEST_CASE("write_report: a folder that cannot be written is an IoError", "[report]") {
  CHECK_THROWS_AS(write(one_series_run(), "/proc/no/such/folder"), IoError);
}

TEST_CASE("write_report: export draws every chart in each format", "[report]") {
  if (!chart::load_chart_runtime(chart::assets_folder())) {
    WARN("skipped: the chart runtime is not installed");
    return;
  }
  const test::TempFolder folder;
  (void)write(one_series_run(), folder.path(), {.formats = {"svg", "png", "pdf"}});
  const fs::path charts = folder.path() / "charts";
  const std::string svg = read_file(charts / "fill.svg");
  CHECK(svg.starts_with("<svg"));
  CHECK(svg.find("font-weight:normal;src:url(data:font/woff;base64,") != std::string::npos);
  CHECK(svg.find("font-weight:bold;src:url(data:font/woff;base64,") != std::string::npos);
  CHECK(read_file(charts / "fill.png").starts_with("\x89PNG"));
  CHECK(read_file(charts / "fill.pdf").starts_with("%PDF"));
  CHECK(files_in(charts).size() == 4 * 5);
}

TEST_CASE("write_report: an export has the caption as text, and the requested width", "[report]") {
  if (!chart::load_chart_runtime(chart::assets_folder())) {
    WARN("skipped: the chart runtime is not installed");
    return;
  }
  const test::TempFolder folder;
  const std::uint64_t width = GENERATE(330, 700);
  const bool is_bare = GENERATE(false, true);
  (void)write(large_run(), folder.path(),
              {.formats = {"svg"}, .style = {.is_bare = is_bare, .width = width, .font_size = 7}});
  const fs::path charts = folder.path() / "charts";
  const std::string title = "False-positive rate against memory";
  for (const char* name : {"rate_vs_bits_per_key", "relative_error_heatmap", "excess_funnel"}) {
    INFO(name);
    const std::string svg = read_file(charts / (std::string(name) + ".svg"));
    CHECK(svg.find("width=\"" + std::to_string(width) + "\"") != std::string::npos);
    CHECK((svg.find(">Marks are") == std::string::npos || !is_bare));
    CHECK(read_file(charts / (std::string(name) + ".vl.json")).find("\"subtitle\"") !=
          std::string::npos);
  }
  CHECK(read_file(charts / "rate_vs_bits_per_key.txt").starts_with(title + "\n\nMarks are"));
}

TEST_CASE("write_report: a table of each chart does not need the chart runtime", "[report]") {
  const test::TempFolder folder;
  const Environment no_runtime("BLOOMETRY_CHART_DIR", folder.path() / "none");
  CHECK_FALSE(write(one_series_run(), folder.path(), {}, true).drawn);
  const std::set<std::string> files = files_in(folder.path() / "charts");
  for (const char* name : {"fill", "p_value_qq", "rate_by_point", "rate_vs_n_over_capacity"}) {
    CHECK(files.contains(std::string(name) + ".csv"));
    CHECK(files.contains(std::string(name) + ".txt"));
  }
  CHECK(files.size() == 4 * 3);
  const std::string table = read_file(folder.path() / "charts/fill.csv");
  std::ofstream(folder.path() / "charts/fill.csv") << "of an earlier call";
  (void)write(one_series_run(), folder.path(), {}, true);
  CHECK(read_file(folder.path() / "charts/fill.csv") == table);
}
