#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "experiments/text/number_text.hpp"

namespace bloometry {

/// A human-readable table. Each column is as wide as its widest cell, and two spaces separate
/// columns. The first column and the columns marked as text are left-aligned. Other columns are
/// right-aligned. If all titles are empty, the line of titles is omitted.
///
/// A table that is wider than columns_of(stream) is stacked: each row, like the titles, has several
/// lines with some columns each. Before columns are stacked, the extra columns are left out, and
/// the text of the last column is wrapped. A line below the table names the columns that are left
/// out.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool is_text = false;
    bool is_extra = false;  ///< left out of a table that would otherwise be stacked
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with one cell per column.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }

  void print(std::ostream& out) const;

 private:
  /// The columns [first, last), which share a line of each row.
  struct Group {
    std::size_t first;
    std::size_t last;
    std::size_t indent;
  };

  using Cells = std::vector<std::string>;

  [[nodiscard]] bool is_left_aligned(std::size_t i) const { return i == 0 || columns_[i].is_text; }

  [[nodiscard]] Cells titles() const;
  [[nodiscard]] Cells extra_titles() const;
  [[nodiscard]] TextTable without_extra_columns() const;
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::vector<Group> groups(const std::vector<std::size_t>& widths,
                                          std::size_t columns) const;
  [[nodiscard]] std::string text_of(const Group& group, const Cells& cells,
                                    const std::vector<std::size_t>& widths,
                                    std::size_t columns) const;

  std::vector<Column> columns_;
  std::vector<Cells> lines_;
};

/// Returns the number of cells with their kind, such as 1,000 bits, 1,000 counters of 4 bits, or
/// 1,000 cells of 16 bits for a table of fingerprints.
[[nodiscard]] std::string counted_cells(std::uint64_t num_cells, unsigned cell_bits,
                                        bool is_table = false);

/// Returns the memory in readable units, such as 1.14 MiB.
[[nodiscard]] std::string memory_text(std::uint64_t num_bits);

}  // namespace bloometry
