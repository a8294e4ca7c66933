#include "experiments/cli/terminal/text_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "experiments/cli/terminal/text_width.hpp"

namespace bloometry {

namespace {

constexpr std::size_t kGap = 2;              // spaces between two columns
constexpr std::size_t kStackedIndent = 4;    // spaces before the further lines of a row
constexpr std::size_t kMinTextColumns = 24;  // of the last column, if its text is wrapped

}  // namespace

TextTable::Cells TextTable::titles() const {
  Cells titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return titles;
}

TextTable::Cells TextTable::extra_titles() const {
  Cells titles;
  for (const Column& column : columns_) {
    if (column.is_extra) titles.push_back(column.title);
  }
  return titles;
}

TextTable TextTable::without_extra_columns() const {
  std::vector<Column> columns;
  std::ranges::copy_if(columns_, std::back_inserter(columns),
                       [](const Column& column) { return !column.is_extra; });
  TextTable table(std::move(columns));
  for (const Cells& line : lines_) {
    Cells cells;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!columns_[i].is_extra) cells.push_back(line[i]);
    }
    table.add(std::move(cells));
  }
  return table;
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  }
  return widths;
}

std::vector<TextTable::Group> TextTable::groups(const std::vector<std::size_t>& widths,
                                                std::size_t columns) const {
  std::vector<Group> groups = {{.first = 0, .last = 0, .indent = 0}};
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const bool is_wrapped = i > 0 && i + 1 == widths.size() && columns_[i].is_text;
    const std::size_t needed = is_wrapped ? std::min(widths[i], kMinTextColumns) : widths[i];
    const bool is_first = groups.back().first == i;
    if (!is_first && columns > 0 && used + kGap + needed > columns) {
      groups.push_back({.first = i, .last = i, .indent = kStackedIndent});
      used = kStackedIndent + needed;
    } else {
      used += (is_first ? 0 : kGap) + needed;
    }
    groups.back().last = i + 1;
  }
  return groups;
}

/// Returns the line of a row with the columns of a group.
std::string TextTable::text_of(const Group& group, const Cells& cells,
                               const std::vector<std::size_t>& widths, std::size_t columns) const {
  std::string text(group.indent, ' ');
  std::size_t column = group.indent;
  for (std::size_t i = group.first; i < group.last; ++i) {
    if (i > group.first) {
      text.append(kGap, ' ');
      column += kGap;
    }
    const std::string padding(widths[i] - display_width(cells[i]), ' ');
    if (!is_left_aligned(i)) {
      text += padding + cells[i];
    } else if (i + 1 == columns_.size()) {
      text += wrapped(cells[i], column, column, columns);
    } else {
      text += cells[i] + padding;
    }
    column += widths[i];
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

void TextTable::print(std::ostream& out) const {
  const std::size_t columns = columns_of(out);
  const std::vector<std::size_t> all_widths = widths();
  const std::vector<Group> all_groups = groups(all_widths, columns);
  const Cells extra = extra_titles();
  if (all_groups.size() > 1 && !extra.empty()) {
    without_extra_columns().print(out);
    out << "columns left out, see --wide: " << joined(extra) << '\n';
    return;
  }
  const auto print_row = [&](const Cells& cells) {
    for (const Group& group : all_groups) {
      out << text_of(group, cells, all_widths, columns) << '\n';
    }
  };
  const auto has_title = [](const Column& column) { return !column.title.empty(); };
  if (std::any_of(columns_.begin(), columns_.end(), has_title)) print_row(titles());
  for (const Cells& line : lines_) print_row(line);
}

std::string counted_cells(std::uint64_t num_cells, unsigned cell_bits, bool is_table) {
  if (cell_bits == 1) return plural(num_cells, "bit");
  return fmt::format("{} of {}", plural(num_cells, is_table ? "cell" : "counter"),
                     plural(cell_bits, "bit"));
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
