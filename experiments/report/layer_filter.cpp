#include "experiments/report/layer_filter.hpp"

#include <charconv>
#include <fmt/core.h>
#include <stdexcept>
#include <string>

namespace bloometry::report {
namespace {

using nlohmann::json;

/// Reads a filter expression from left to right.
class FilterReader {
 public:
  FilterReader(std::string_view expression, const json& record)
      : expression_(expression), rest_(expression), record_(record) {}

  bool all_terms() {
    bool holds = term();
    while (!rest_.empty()) {
      require(" && ");
      const bool is_true = term();
      holds = holds && is_true;
    }
    return holds;
  }

 private:
  bool term() {
    const bool is_negated = skip("!");
    return factor() != is_negated;
  }

  bool factor() {
    if (skip("isValid(")) {
      const bool is_valid = !field().is_null();
      require(")");
      return is_valid;
    }
    const json value = field();
    if (skip(" > ")) {
      const json least = literal();
      return value.is_number() && value > least;
    }
    if (skip(" == ")) return value == literal();
    if (skip(" != ")) return value != literal();
    return !value.is_null() && value != json(false) && value != json(0) && value != json("");
  }

  /// Returns the value of the field, or null if the record does not have the field.
  json field() {
    require("datum");
    const bool is_quoted = skip("['");
    if (!is_quoted) require(".");
    const std::string name = read_until(is_quoted ? "'" : " )");
    if (is_quoted) require("']");
    const auto found = record_.find(name);
    return found == record_.end() ? json() : *found;
  }

  json literal() {
    if (skip("'")) {
      const std::string text = read_until("'");
      require("'");
      return text;
    }
    double number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) refuse();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number;
  }

  /// Returns the text up to the first of the characters, or up to the end.
  std::string read_until(std::string_view ends) {
    const std::string text(rest_.substr(0, rest_.find_first_of(ends)));
    rest_.remove_prefix(text.size());
    return text;
  }

  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void require(std::string_view text) {
    if (!skip(text)) refuse();
  }

  [[noreturn]] void refuse() const {
    throw std::logic_error(
        fmt::format("a chart has the filter '{}', whose part '{}' is unknown", expression_, rest_));
  }

  std::string_view expression_;
  std::string_view rest_;
  const json& record_;
};

}  // namespace

bool accepts(std::string_view expression, const json& record) {
  return FilterReader(expression, record).all_terms();
}

}  // namespace bloometry::report
