#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

// The functions csv_cell() return a cell of a CSV line (RFC 4180, lines end in LF).

/// Returns the string, in quotes if the string contains a comma, a quote or a line break.
[[nodiscard]] std::string csv_cell(std::string_view text);
[[nodiscard]] std::string csv_cell(std::uint64_t value);
/// Returns the shortest decimal number that reads back as the same double.
[[nodiscard]] std::string csv_cell(double value);

/// Returns the cell of a value, or an empty cell if the value is absent.
template <class T>
[[nodiscard]] std::string csv_cell(const std::optional<T>& value) {
  return value ? csv_cell(*value) : std::string();
}

/// Returns the header and the lines of a table. for_each_column(record, visit) must call
/// visit(name, value) for each column in order.
template <class Record, class ForEachColumn>
[[nodiscard]] std::string csv_table(std::span<const Record> records,
                                    ForEachColumn for_each_column) {
  std::string csv;
  for_each_column(Record{}, [&](std::string_view name, const auto&) { csv.append(name) += ','; });
  csv.back() = '\n';
  for (const Record& record : records) {
    for_each_column(
        record, [&](std::string_view, const auto& value) { csv.append(csv_cell(value)) += ','; });
    csv.back() = '\n';
  }
  return csv;
}

/// Returns the contents of trials.csv, including the header. The rows must be sorted.
[[nodiscard]] std::string trials_csv(std::span<const TrialRow> rows);

/// Returns the contents of histograms.csv, including the header. For each row with a histogram, in
/// the order of the rows, the table contains one line per number of set cells.
[[nodiscard]] std::string histograms_csv(std::span<const TrialRow> rows);

/// Returns the contents of timings.csv, including the header.
[[nodiscard]] std::string timings_csv(std::span<const UnitTiming> timings);

}  // namespace bloometry
