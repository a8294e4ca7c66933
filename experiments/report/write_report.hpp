#pragma once

#include <filesystem>
#include <span>

#include "experiments/chart/export_charts.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/report/charts.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// The result of writing a report.
struct WrittenReport {
  std::filesystem::path page;
  bool drawn = false;  ///< false if the chart runtime is not installed
};

/// Writes summary.csv, charts/ and report.html into the run folder, each file atomically. Also
/// writes trials.csv unless it exists and has a hash. The function does not remove files. Pictures
/// that an earlier call exported stay until another call exports them again.
/// @param charts result of make_charts() for the same rows
/// @param files result of check_files() for the run
/// @param pictures requested pictures of the charts; a picture requires the chart runtime
/// @param with_csv true to write the points of each chart to charts/<name>.csv (chart_csv.hpp)
/// @throws IoError if a file cannot be written, or if a picture format cannot be drawn.
WrittenReport write_report(const RunData& run, std::span<const SummaryRow> rows,
                           const Verdict& verdict, const ChartSet& charts,
                           std::span<const CheckedFile> files,
                           const chart::ExportRequest& pictures = {}, bool with_csv = false);

}  // namespace bloometry::report
