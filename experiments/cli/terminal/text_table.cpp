#include "experiments/cli/terminal/text_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <string_view>

namespace bloometry {

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(column.title.size());
  for (const auto& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  const auto print_line = [&](const auto& cell_of) {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string padding(widths[i] - cell.size(), ' ');
      text.append(i > 0 ? "  " : "");
      text += columns_[i].is_text || i == 0 ? cell + padding : padding + cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  };
  const auto has_title = [](const Column& column) { return !column.title.empty(); };
  if (std::any_of(columns_.begin(), columns_.end(), has_title)) {
    print_line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  }
  for (const auto& line : lines_) {
    print_line([&](std::size_t i) -> const std::string& { return line[i]; });
  }
}

std::string counted_cells(std::uint64_t num_cells, unsigned cell_bits) {
  if (cell_bits == 1) return grouped(num_cells) + " bits";
  return fmt::format("{} counters of {} bits", grouped(num_cells), cell_bits);
}

std::string memory_text(std::uint64_t num_bits) {
  if (num_bits < 8) return plural(num_bits, "bit");
  constexpr std::array<std::string_view, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double size = static_cast<double>(num_bits) / 8;
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", rounded(size, 4), kUnits[unit]);
}

}  // namespace bloometry
