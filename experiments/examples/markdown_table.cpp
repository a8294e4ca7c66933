#include "experiments/examples/markdown_table.hpp"

#include <algorithm>
#include <iostream>

namespace bloometry::examples {
namespace {

void print_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::cout << "| " << cells[i] << std::string(widths[i] - cells[i].size() + 1, ' ');
  }
  std::cout << "|\n";
}

}  // namespace

void MarkdownTable::print() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::cout << "\n";
  print_row(rows_.front(), widths);
  for (const std::size_t width : widths) std::cout << "|" << std::string(width + 2, '-');
  std::cout << "|\n";
  for (auto row = rows_.begin() + 1; row != rows_.end(); ++row) print_row(*row, widths);
  std::cout << "\n" << std::flush;
}

}  // namespace bloometry::examples
