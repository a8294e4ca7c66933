#include "experiments/report/html_text.hpp"

#include <algorithm>
#include <cctype>

#include "experiments/chart/chart.hpp"

namespace bloometry::report {
namespace {

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

/// Returns whether the text starts with a `<` that ends a script element or opens a comment in a
/// script.
bool is_dangerous(std::string_view rest) {
  constexpr std::string_view kEnd = "</script";
  return rest.starts_with("<!--") || equals_ignoring_case(rest.substr(0, kEnd.size()), kEnd);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      case '\0':
        escaped += "\xEF\xBF\xBD";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string escape_json(const nlohmann::json& json) {
  std::string escaped;
  for (const char c : chart::to_text(json)) {
    if (c == '<') {
      escaped += "\\u003c";  // in JSON a `<` can only occur inside a string
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string escape_script(std::string_view source) {
  std::string escaped;
  escaped.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    escaped += source[i];
    if (source[i] == '<' && is_dangerous(source.substr(i))) escaped += '\\';
  }
  return escaped;
}

std::string fill_template(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string filled;
  std::size_t position = 0;
  while (true) {
    const std::size_t open = text.find("{{", position);
    const std::size_t close = open == text.npos ? text.npos : text.find("}}", open);
    if (close == text.npos) break;
    filled += text.substr(position, open - position);
    filled += values.at(std::string(text.substr(open + 2, close - open - 2)));
    position = close + 2;
  }
  return filled += text.substr(position);
}

}  // namespace bloometry::report
