#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace bloometry {

/// Wraps the lines that are written to a stream at columns_of(stream), during the lifetime of this
/// object. Continuation lines start below the value of a line such as `  rows    24`, and two
/// columns to the right in another line. If the stream has no limit, lines are not changed.
class FittedLines final : std::streambuf {
 public:
  explicit FittedLines(std::ostream& out);
  ~FittedLines() override;
  FittedLines(const FittedLines&) = delete;
  FittedLines& operator=(const FittedLines&) = delete;

 private:
  int_type overflow(int_type letter) override;
  int sync() override;
  bool write_line();

  std::ostream& out_;
  std::size_t columns_;
  std::streambuf* target_;
  std::string line_;  // the letters since the last LF
};

/// Returns a line in lines of at most `columns` columns, as FittedLines writes it.
[[nodiscard]] std::string fitted(std::string_view line, std::size_t columns);

}  // namespace bloometry
