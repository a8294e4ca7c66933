#pragma once

#include <string>
#include <vector>

namespace bloometry::examples {

/// A table in Markdown. The cells of a column are padded to equal widths.
class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<std::string> headers) : rows_{std::move(headers)} {}

  /// Adds a row with one cell per header.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Prints an empty line, the table and another empty line.
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bloometry::examples
