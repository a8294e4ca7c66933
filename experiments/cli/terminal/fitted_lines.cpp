#include "experiments/cli/terminal/fitted_lines.hpp"

#include <algorithm>
#include <utility>

#include "experiments/cli/terminal/text_width.hpp"

namespace bloometry {
namespace {

/// Returns the position of the first letter that is not a space.
std::size_t skip_spaces(std::string_view line, std::size_t position) {
  return std::min(line.find_first_not_of(' ', position), line.size());
}

/// Returns the number of columns before the continuation of a line. Two or more spaces separate a
/// label from its value.
std::size_t continuation_indent(std::string_view line, std::size_t columns) {
  const std::size_t start = skip_spaces(line, 0);
  const std::size_t gap = line.find("  ", start);
  if (gap != std::string_view::npos) {
    const std::size_t value = display_width(line.substr(0, skip_spaces(line, gap)));
    if (value <= columns / 2) return value;
  }
  return start + 2;
}

}  // namespace

std::string fitted(std::string_view line, std::size_t columns) {
  if (columns == 0 || display_width(line) <= columns) return std::string(line);
  const std::size_t start = skip_spaces(line, 0);
  return std::string(start, ' ') +
         wrapped(line.substr(start), start, continuation_indent(line, columns), columns);
}

FittedLines::FittedLines(std::ostream& out)
    : out_(out), columns_(columns_of(out)), target_(out.rdbuf()) {
  if (columns_ > 0) out_.rdbuf(this);
}

FittedLines::~FittedLines() {
  if (columns_ == 0) return;
  const bool is_written = line_.empty() || write_line();
  const std::ios_base::iostate state = out_.rdstate();
  out_.rdbuf(target_);  // clears the state
  out_.setstate(state | (is_written ? std::ios_base::goodbit : std::ios_base::badbit));
}

FittedLines::int_type FittedLines::overflow(int_type letter) {
  if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
  line_.push_back(traits_type::to_char_type(letter));
  if (line_.back() != '\n') return letter;
  return write_line() ? letter : traits_type::eof();
}

int FittedLines::sync() {
  return target_->pubsync();
}

bool FittedLines::write_line() {
  const bool is_ended = line_.back() == '\n';
  if (is_ended) line_.pop_back();
  std::string text = fitted(std::exchange(line_, {}), columns_);
  if (is_ended) text.push_back('\n');
  const auto size = static_cast<std::streamsize>(text.size());
  return target_->sputn(text.data(), size) == size;
}

}  // namespace bloometry
