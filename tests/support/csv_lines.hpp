#pragma once

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

/// Lines of CSV tables that the program writes, without line breaks in cells.
namespace bloometry::test {

/// Returns the cells of a line.
inline std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) cells.back() += line[++i];
      if (!is_doubled) is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

/// A line by the names of its columns.
using CsvLine = std::map<std::string, std::string>;

inline std::vector<CsvLine> csv_lines(const std::string& csv) {
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> header = csv_cells(line);
  std::vector<CsvLine> lines;
  while (std::getline(text, line)) {
    const std::vector<std::string> cells = csv_cells(line);
    REQUIRE(cells.size() == header.size());
    CsvLine& named = lines.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) named[header[i]] = cells[i];
  }
  return lines;
}

}  // namespace bloometry::test
