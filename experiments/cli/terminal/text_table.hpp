#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "experiments/text/number_text.hpp"

namespace bloometry {

/// A human-readable table. Each column is as wide as its widest cell, and two spaces separate
/// columns. The first column and the columns marked as text are left-aligned. Other columns are
/// right-aligned. If all titles are empty, the line of titles is omitted.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool is_text = false;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with one cell per column.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }

  void print(std::ostream& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> lines_;
};

/// Returns the number of cells with their kind, such as 1,000 bits or 1,000 counters of 4 bits.
[[nodiscard]] std::string counted_cells(std::uint64_t num_cells, unsigned cell_bits);

/// Returns the memory in readable units, such as 1.14 MiB.
[[nodiscard]] std::string memory_text(std::uint64_t num_bits);

}  // namespace bloometry
