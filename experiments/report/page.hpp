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

/// The contents of a page.
struct PageInput {
  const RunData& run;
  std::span<const SummaryRow> rows;
  const Verdict& verdict;
  const ChartSet& charts;
  std::span<const CheckedFile> files{};  ///< check_files() of the run
};

/// The verdict in plain words.
struct VerdictText {
  std::string kind;      ///< accepted, deviates, altered, incomplete or empty; selects the colour
  std::string headline;  ///< one word or two
  std::string sentence;
  std::string evidence;  ///< the evidence for it
};

/// Returns the text of the verdict. @param files check_files() of the run
[[nodiscard]] VerdictText describe(const Verdict& verdict, const RunData& run,
                                   std::span<const CheckedFile> files = {});

/// Returns the folder of the page's template, style and script: $BLOOMETRY_REPORT_DIR,
/// share/bloometry/report of an installed program, or experiments/report of the source tree
/// (data_folder.hpp).
[[nodiscard]] std::filesystem::path page_folder();

/// Returns report.html, one file that does not need a network. Without a runtime it contains
/// installation instructions in place of the charts.
/// @param folder page_folder(). @throws IoError if the template cannot be read.
[[nodiscard]] std::string make_page(const PageInput& input, const std::filesystem::path& folder,
                                    const std::optional<chart::ChartRuntime>& runtime);

}  // namespace bloometry::report
