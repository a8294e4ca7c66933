#include "experiments/output/csv.hpp"

#include "core/text.hpp"
#include "experiments/unit/row_columns.hpp"

namespace bloometry {
namespace {

/// Returns the header and lines of a table. for_each_column(record, visit) must call visit(name,
/// value) for each column in order.
template <class Record, class ForEachColumn>
std::string table(std::span<const Record> records, ForEachColumn for_each_column) {
  std::string csv;
  const Record names{};
  for_each_column(names, [&](const char* name, const auto&) { csv.append(name).append(","); });
  csv.back() = '\n';
  for (const Record& record : records) {
    for_each_column(
        record, [&](const char*, const auto& value) { csv.append(csv_cell(value)).append(","); });
    csv.back() = '\n';
  }
  return csv;
}

}  // namespace

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
  return table(rows, [](const TrialRow& row, auto visit) { for_each_row_column(row, visit); });
}

std::string histograms_csv(std::span<const TrialRow> rows) {
  std::string csv = "unit,num_inserted,num_hashes,num_set_cells,num_queries\n";
  for (const TrialRow& row : rows) {
    const std::string point = csv_cell(row.unit) + "," + csv_cell(row.num_inserted) + "," +
                              csv_cell(row.num_hashes) + ",";
    for (std::size_t s = 0; s < row.set_probe_counts.size(); ++s) {
      csv.append(point).append(csv_cell(std::uint64_t{s})).append(",");
      csv.append(csv_cell(row.set_probe_counts[s])).append("\n");
    }
  }
  return csv;
}

std::string timings_csv(std::span<const UnitTiming> timings) {
  return table(timings,
               [](const UnitTiming& timing, auto visit) { for_each_timing_column(timing, visit); });
}

}  // namespace bloometry
