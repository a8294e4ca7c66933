#pragma once

#include <string>

#include "experiments/report/page.hpp"

namespace bloometry::report {

/// Rows that deviate, and why, as verify lists them (listed_deviations); empty if none does.
[[nodiscard]] std::string deviations_table(const Verdict& verdict, const KeyLabels& labels = {});

/// Rows that are only studied, counted by reason; empty if all are tested.
[[nodiscard]] std::string studied_table(const Verdict& verdict);

/// The points with the smallest p-values first, at most kMostTableRows of them.
inline constexpr std::size_t kMostTableRows = 500;
[[nodiscard]] std::string points_table(std::span<const SummaryRow> rows,
                                       const KeyLabels& labels = {});

/// A JSON object as name and value, nested names joined by dots.
[[nodiscard]] std::string settings_table(const nlohmann::json& settings);

}  // namespace bloometry::report
