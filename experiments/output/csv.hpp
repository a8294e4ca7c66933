#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "experiments/rows/trial_row.hpp"
#include "experiments/rows/unit_result.hpp"

namespace bloometry {

// Cells of a CSV line (RFC 4180, lines end in LF).

/// Quoted where a comma, a quote or a line break is in it.
[[nodiscard]] std::string csv_cell(std::string_view text);
[[nodiscard]] std::string csv_cell(std::uint64_t value);
/// The shortest text that reads back as the same double.
[[nodiscard]] std::string csv_cell(double value);

/// Absent is empty.
template <class T>
[[nodiscard]] std::string csv_cell(const std::optional<T>& value) {
  return value ? csv_cell(*value) : std::string();
}

/// trials.csv with its header; the rows must be sorted.
[[nodiscard]] std::string trials_csv(std::span<const TrialRow> rows);

/// histograms.csv with its header: one line for each row that has a histogram and each number of
/// set cells, in the order of the rows.
[[nodiscard]] std::string histograms_csv(std::span<const TrialRow> rows);

/// timings.csv with its header.
[[nodiscard]] std::string timings_csv(std::span<const UnitTiming> timings);

}  // namespace bloometry
