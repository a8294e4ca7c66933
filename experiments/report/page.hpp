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

/// The contents of the page report.html.
struct PageInput {
  const RunData& run;
  std::span<const SummaryRow> rows;
  const Verdict& verdict;
  const ChartSet& charts;
  std::span<const CheckedFile> files{};  ///< result of check_files() for the run
};

/// The wording of a verdict on the page.
struct VerdictText {
  std::string kind;      ///< accepted, deviates, altered, incomplete or empty; selects the colour
  std::string headline;  ///< the verdict in one or two words
  std::string sentence;
  std::string evidence;  ///< the evidence for the verdict
};

/// Returns the wording of the verdict. The argument `files` is the result of check_files() for the
/// run.
[[nodiscard]] VerdictText describe(const Verdict& verdict, const RunData& run,
                                   std::span<const CheckedFile> files = {});

/// Returns the folder of the page's template, style and script (data_folder.hpp). The folder is
/// $BLOOMETRY_REPORT_DIR, share/bloometry/report of an installed program, or experiments/report of
/// the source tree.
[[nodiscard]] std::filesystem::path page_folder();

/// Returns the text of report.html, a single file that browsers can show without a network. If the
/// chart runtime is not installed, the page contains installation instructions instead of charts.
/// @param folder result of page_folder(). Throws IoError if the template cannot be read.
[[nodiscard]] std::string make_page(const PageInput& input, const std::filesystem::path& folder,
                                    const std::optional<chart::ChartRuntime>& runtime);

}  // namespace bloometry::report
