#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "experiments/chart/chart_runtime.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/report/charts.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// What a page tells.
struct PageInput {
  const RunData& run;
  std::span<const SummaryRow> rows;
  const Verdict& verdict;
  const ChartSet& charts;
  std::span<const CheckedFile> files{};  ///< check_files() of the run
};

/// The verdict in words that need no background.
struct VerdictText {
  std::string kind;      ///< accepted, deviates, altered, incomplete or empty: also the colour
  std::string headline;  ///< one word or two
  std::string sentence;
  std::string evidence;  ///< what stands behind it
};

/// @param files check_files() of the run
[[nodiscard]] VerdictText describe(const Verdict& verdict, const RunData& run,
                                   std::span<const CheckedFile> files = {});

/// Where the page's template, style and script are: $BLOOMETRY_REPORT_DIR, else experiments/report
/// of the source tree that the program was built from.
[[nodiscard]] std::filesystem::path page_folder();

/// report.html: one file that needs no network. Without a runtime it says how to install it where
/// the charts would be.
/// @param folder page_folder(). @throws IoError if the template cannot be read.
[[nodiscard]] std::string make_page(const PageInput& input, const std::filesystem::path& folder,
                                    const std::optional<chart::ChartRuntime>& runtime);

}  // namespace bloometry::report
