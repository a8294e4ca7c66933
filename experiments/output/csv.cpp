#include "experiments/output/csv.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/unit/row_columns.hpp"

namespace bloometry {

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

std::string csv_cell(std::uint64_t value) {
  return std::to_string(value);
}

std::string csv_cell(double value) {
  return shortest_text(value);
}

std::string trials_csv(std::span<const TrialRow> rows) {
  const bool has_window = std::any_of(rows.begin(), rows.end(), [](const TrialRow& row) {
    return row.num_window_queries.has_value();
  });
  const bool has_stream = std::any_of(
      rows.begin(), rows.end(), [](const TrialRow& row) { return row.num_originals.has_value(); });
  return csv_table(rows, [has_window, has_stream](const TrialRow& row, auto visit) {
    for_each_row_column(row, visit);
    if (has_window) for_each_window_count(row, visit);
    if (has_stream) for_each_stream_count(row, visit);
  });
}

std::string histograms_csv(std::span<const TrialRow> rows) {
  std::string csv = "unit,num_inserted,num_hashes,num_set_cells,num_queries\n";
  for (const TrialRow& row : rows) {
    const std::string point = fmt::format("{},{},{},", csv_cell(row.unit),
                                          csv_cell(row.num_inserted), csv_cell(row.num_hashes));
    for (std::size_t s = 0; s < row.set_probe_counts.size(); ++s) {
      csv += fmt::format("{}{},{}\n", point, s, row.set_probe_counts[s]);
    }
  }
  return csv;
}

std::string timings_csv(std::span<const UnitTiming> timings) {
  return csv_table(
      timings, [](const UnitTiming& timing, auto visit) { for_each_timing_column(timing, visit); });
}

}  // namespace bloometry
