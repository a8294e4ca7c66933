#pragma once

#include <string>

#include "experiments/report/page.hpp"

namespace bloometry::report {

/// Returns a table of the rows that deviate, with reasons, as verify lists them
/// (listed_deviations); may be empty.
[[nodiscard]] std::string deviations_table(const Verdict& verdict, const KeyLabels& labels = {});

/// Returns the number of rows exempt from the tests, by reason; empty if all are tested.
[[nodiscard]] std::string exempt_table(const Verdict& verdict);

/// Maximum number of points in the table, the smallest p-values first.
inline constexpr std::size_t kMostTableRows = 500;
[[nodiscard]] std::string points_table(std::span<const SummaryRow> rows,
                                       const KeyLabels& labels = {});

/// Returns a JSON object as name and value, with nested names joined by dots.
[[nodiscard]] std::string settings_table(const nlohmann::json& settings);

}  // namespace bloometry::report
