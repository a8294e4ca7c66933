#pragma once

#include <string>
#include <vector>

namespace bloometry::examples {

/// A table in Markdown. The cells of a column are padded to equal width.
class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<std::string> headers) : rows_{std::move(headers)} {}

  /// Adds a row. @param cells one for each header
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Prints the table, with an empty line before and after it.
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bloometry::examples
