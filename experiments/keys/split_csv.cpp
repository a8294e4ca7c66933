#include "experiments/keys/split_csv.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "core/error.hpp"

namespace bloometry {
namespace {

/// A reader that returns the fields of one CSV row in order.
class Row {
 public:
  /// Starts at the beginning of `text`, which must be the beginning of a row.
  explicit Row(std::string_view text) : text_(text) {}

  /// Reads the next field. For a quoted field, field() then returns the characters between the
  /// quotes, with inner quotes still doubled.
  void read_field() {
    is_quoted_ = at_ < text_.size() && text_[at_] == '"';
    if (is_quoted_) {
      read_quoted();
    } else {
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
      field_ = text_.substr(begin, at_ - begin);
    }
    is_last_ = at_ >= text_.size() || text_[at_] == '\n';
    if (is_last_ && !is_quoted_ && field_.ends_with('\r')) field_.remove_suffix(1);
    ++at_;
  }

  [[nodiscard]] std::string_view field() const noexcept { return field_; }

  [[nodiscard]] bool is_quoted() const noexcept { return is_quoted_; }

  [[nodiscard]] bool is_last() const noexcept { return is_last_; }

  /// Returns whether the current field has characters after its closing quote, or lacks a closing
  /// quote.
  [[nodiscard]] bool is_damaged() const noexcept { return damage_ != nullptr; }

  /// Returns the requirement that a damaged field does not meet, for an error message.
  [[nodiscard]] const char* damage() const noexcept { return damage_; }

  /// Returns the number of bytes read. After the last field, the number of bytes includes the LF.
  [[nodiscard]] std::size_t size() const noexcept { return std::min(at_, text_.size()); }

 private:
  void read_quoted() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size()) {
      if (text_[at_] != '"') {
        ++at_;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        at_ += 2;
      } else {
        break;
      }
    }
    field_ = text_.substr(begin, at_ - begin);
    if (at_ >= text_.size()) {
      damage_ = "must have a closing quote, got the end of the input";
      return;
    }
    ++at_;
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ >= text_.size() || text_[at_] == ',' || text_[at_] == '\n') return;
    damage_ = "must end after its closing quote, got further text";
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view field_{};
  bool is_quoted_ = false;
  bool is_last_ = false;
  const char* damage_ = nullptr;
};

std::string without_doubled_quotes(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    text.push_back(field[i]);
    if (field[i] == '"') ++i;  // skips the second quote of a pair
  }
  return text;
}

/// Returns the value of the row's current field. If the field contains doubled quotes, the function
/// stores the value in `texts`.
std::string_view text_of(const Row& row, std::deque<std::string>& texts) {
  const std::string_view field = row.field();
  if (!row.is_quoted() || field.find('"') == std::string_view::npos) return field;
  return texts.emplace_back(without_doubled_quotes(field));
}

bool is_blank(std::string_view line) {
  return line.empty() || line.front() == '\n' || line.starts_with("\r\n") || line == "\r";
}

/// Calls visit(i) for each row that ends in LF, where i is the index after the LF. As in Row, a
/// quote has a special meaning only at the start of a field and inside a quoted field.
template <class Visit>
void for_each_row_end(std::string_view text, Visit visit) {
  enum class State { kStart, kPlain, kQuoted, kBehindQuote };
  State state = State::kStart;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (state == State::kQuoted) {
      if (c == '"') state = State::kBehindQuote;
    } else if (c == '"' && state != State::kPlain) {
      state = State::kQuoted;  // also for the second quote of a pair
    } else if (c == ',') {
      state = State::kStart;
    } else if (c == '\n') {
      state = State::kStart;
      visit(i + 1);
    } else {
      state = State::kPlain;
    }
  }
}

[[noreturn]] void refuse(const KeyBatch& batch, std::uint64_t row, const std::string& reason) {
  throw ConfigError(fmt::format("{}: row {} {}", *batch.file, row, reason));
}

}  // namespace

std::size_t whole_csv_rows(std::string_view text, std::uint64_t& num_rows) noexcept {
  std::size_t size = 0;
  for_each_row_end(text, [&](std::size_t end) {
    size = end;
    ++num_rows;
  });
  return size;
}

std::uint64_t count_csv_rows(std::string_view text) noexcept {
  std::uint64_t count = 0;
  std::size_t begin = 0;
  for_each_row_end(text, [&](std::size_t end) {
    count += static_cast<std::uint64_t>(!is_blank(text.substr(begin)));
    begin = end;
  });
  return count + static_cast<std::uint64_t>(!is_blank(text.substr(begin)));
}

std::vector<std::uint64_t> csv_columns_named(std::string_view text, std::string_view name) {
  std::vector<std::uint64_t> columns;
  std::deque<std::string> texts;
  Row row(text);
  for (std::uint64_t column = 1;; ++column) {
    row.read_field();
    if (text_of(row, texts) == name) columns.push_back(column);
    if (row.is_last()) return columns;
  }
}

std::size_t csv_row_size(std::string_view text) {
  Row row(text);
  do row.read_field();
  while (!row.is_last());
  return row.size();
}

void split_csv(KeyBatch& batch, bool with_records) {
  batch.texts.clear();
  batch.keys.clear();
  batch.records.clear();
  std::string_view rest = batch.bytes;
  for (std::uint64_t number = batch.first_record; !rest.empty(); ++number) {
    if (is_blank(rest)) {
      rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
      continue;
    }
    Row row(rest);
    std::string_view key;
    std::uint64_t column = 0;
    do {
      row.read_field();
      if (row.is_damaged()) {
        refuse(batch, number, fmt::format("column {} {}", column + 1, row.damage()));
      }
      if (++column == batch.column) key = text_of(row, batch.texts);
    } while (!row.is_last());
    if (column < batch.column) {
      refuse(batch, number,
             fmt::format("must have at least {} columns, got {}", batch.column, column));
    }
    batch.keys.emplace_back(key);
    if (with_records) batch.records.push_back(rest.substr(0, row.size()));
    rest.remove_prefix(row.size());
  }
  batch.num_keys = batch.keys.size();
}

}  // namespace bloometry
