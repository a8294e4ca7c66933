#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "experiments/text/number_text.hpp"

namespace bloometry {

/// A table for people: columns as wide as their widest cell, two spaces between them. The first
/// column and those marked so are left-aligned, numbers to the right.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool is_text = false;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }

  void print(std::ostream& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> lines_;
};

/// 1.14 MiB: memory as people compare it.
[[nodiscard]] std::string memory_text(std::uint64_t num_bits);

}  // namespace bloometry
