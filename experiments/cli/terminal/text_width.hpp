#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the number of terminal columns that the text takes. The text is UTF-8. A combining mark
/// takes no column, and a wide East Asian character takes two.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Returns the number of columns that text on standard output may take, or 0 if lines may have any
/// length. The result is the variable COLUMNS if it is a whole number above 0. Otherwise it is the
/// width of the terminal, or 0 if standard output is not a terminal.
[[nodiscard]] std::size_t output_columns();

/// Sets the number of columns that tables and FittedLines use on the stream. 0 means any number,
/// which is the default.
void set_columns(std::ostream& out, std::size_t columns);
[[nodiscard]] std::size_t columns_of(std::ostream& out);

/// Returns the text in lines of at most `columns` columns, or in one line if `columns` is 0. Lines
/// are broken at spaces, but not inside backticks, so that a command can be copied, and not inside
/// `m = 100`. A longer word has a line of its own.
/// @param column number of columns before the first word
/// @param indent number of spaces before the other lines
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t column, std::size_t indent,
                                  std::size_t columns);

}  // namespace bloometry
