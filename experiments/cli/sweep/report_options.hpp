#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/chart/export_charts.hpp"
#include "experiments/plan/chart_request.hpp"

namespace bloometry {

struct ReportOptions {
  std::filesystem::path folder;
  std::vector<std::string> charts;  ///< names from kChartNames; empty: as in the config
  std::string facet;                ///< name of an axis, or kNoFacet; empty: as in the config
  std::string series;               ///< name of an axis; empty: as in the config
  FixedValues fix;                  ///< values that all points of all charts have
  std::vector<std::filesystem::path> bench;  ///< files of `bloometry bench --json`, for ns_vs_rate
  chart::ExportRequest pictures{};
  bool with_csv = false;  ///< true to write the points of each chart as CSV
  bool json = false;
};

// exit_code.hpp states what every command returns and throws.
int report_command(const ReportOptions& options);

}  // namespace bloometry
