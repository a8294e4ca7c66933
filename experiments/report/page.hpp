#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "experiments/output/run_folder.hpp"
#include "experiments/report/chart_runtime.hpp"
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
};

/// The verdict in words that need no background.
struct VerdictText {
  std::string kind;      ///< accepted, deviates, incomplete or empty: also the colour
  std::string headline;  ///< one word or two
  std::string sentence;
  std::string evidence;  ///< what stands behind it
};

[[nodiscard]] VerdictText describe(const Verdict& verdict, const RunData& run);

/// report.html: one file that needs no network. Without a runtime it says how to install it where
/// the charts would be.
/// @throws IoError if the template cannot be read.
[[nodiscard]] std::string make_page(const PageInput& input, const std::filesystem::path& assets,
                                    const std::optional<ChartRuntime>& runtime);

}  // namespace bloometry::report
