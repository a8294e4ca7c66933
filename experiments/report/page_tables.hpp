#pragma once

#include <string>

#include "experiments/report/page.hpp"

namespace bloometry::report {

/// Returns a table of the deviating rows with reasons, in the order of listed_deviations(). Returns
/// an empty string if none of the rows deviates.
[[nodiscard]] std::string deviations_table(const Verdict& verdict, const KeyLabels& labels = {});

/// Returns a table with the number of exempt rows by reason. Returns an empty string if all rows
/// are tested.
[[nodiscard]] std::string exempt_table(const Verdict& verdict);

/// Maximum number of points in the table of points. The table contains the points with the smallest
/// p-values.
inline constexpr std::size_t kMostTableRows = 500;
[[nodiscard]] std::string points_table(std::span<const SummaryRow> rows,
                                       const KeyLabels& labels = {});

/// Returns a JSON object as a table of names and values. The table joins nested names by dots.
[[nodiscard]] std::string settings_table(const nlohmann::json& settings);

}  // namespace bloometry::report
