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
  bool drawn = false;  ///< false if the chart runtime is not installed; the page reports that
};

/// Writes summary.csv, charts/ and report.html into the run folder, each file atomically. Also
/// writes trials.csv unless it exists and has a hash. Does not remove files. Pictures exported by
/// an earlier call stay until a call exports them again.
/// @param charts result of make_charts() for the same rows
/// @param files result of check_files() for the run
/// @throws IoError if a file cannot be written, or a format cannot be drawn.
WrittenReport write_report(const RunData& run, std::span<const SummaryRow> rows,
                           const Verdict& verdict, const ChartSet& charts,
                           std::span<const CheckedFile> files,
                           const chart::ExportRequest& exported = {});

}  // namespace bloometry::report
