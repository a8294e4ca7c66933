// make_pages FOLDER: writes a report of each hand-made run, with tables of its charts. The browser
// tests open the reports.

#include <exception>
#include <filesystem>
#include <iostream>

#include "experiments/report/write_report.hpp"
#include "tests/support/runs/made_up_runs.hpp"

namespace {

using namespace bloometry;

void make(test::HandMadeRun made, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  made.run.folder = folder;
  const report::ChartSet charts = report::make_charts(made.run.config, made.rows, made.verdict);
  (void)report::write_report(made.run, made.rows, made.verdict, charts, {}, {}, true);
}

void make_all(const std::filesystem::path& folder) {
  make(test::large_run(), folder / "large");
  make(test::one_series_run(), folder / "one_series");
  make(test::hundred_facets_run(), folder / "hundred_facets");
  make(test::hostile_run(), folder / "hostile");
  make(test::empty_run(), folder / "empty");

  test::HandMadeRun one_point = test::grid_run({1}, {8}, {5});
  one_point.rows.resize(1);
  make(one_point, folder / "one_point");

  test::HandMadeRun requested = test::grid_run({0, 0.1, 1, 2}, {4, 8, 16}, {3, 6});
  requested.run.config.charts = {
      {.chart = "rate_vs_theory", .x = "num_inserted", .facet = "bits_per_key"},
      {.chart = "rate_vs_theory", .x = "variant", .facet = {}},
      {.chart = "rate_vs_theory", .x = "num_hashes", .facet = "variant"}};
  make(requested, folder / "requested");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::invalid_argument("usage: make_pages FOLDER");
    make_all(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
