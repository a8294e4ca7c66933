#include "experiments/cli/terminal/text_width.hpp"

#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "experiments/text/utf8.hpp"

namespace bloometry {
namespace {

/// Makes a locale with UTF-8 the locale of the thread. wcwidth() has no other way to get it.
class Utf8Locale {
 public:
  Utf8Locale() : before_(::uselocale(utf8())) {}

  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

  ~Utf8Locale() { ::uselocale(before_); }

 private:
  /// Returns the locale, or 0 if the system lacks it; uselocale(0) does not change the locale.
  static locale_t utf8() {
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    return locale;
  }

  locale_t before_;
};

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

/// Returns the length of the first word, which ends at the first space outside backticks that is
/// not beside an equals sign.
std::size_t first_word_size(std::string_view text) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') is_quoted = !is_quoted;
    if (text[i] != ' ' || is_quoted) continue;
    if (!text.substr(i).starts_with(" = ")) return i;
    i += 2;  // the spaces of `m = 100`
  }
  // A single backtick does not begin a quotation.
  return is_quoted ? std::min(text.find(' '), text.size()) : text.size();
}

int stream_word() {
  static const int index = std::ios_base::xalloc();
  return index;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_ascii(text)) return text.size();
  const Utf8Locale locale;
  std::size_t width = 0;
  while (!text.empty()) {
    const Utf8Character character = first_utf8_character(text);
    const int columns = character.length == 0 ? 1 : ::wcwidth(static_cast<wchar_t>(character.code));
    width += columns < 0 ? 1 : static_cast<std::size_t>(columns);
    text.remove_prefix(std::max<std::size_t>(character.length, 1));
  }
  return width;
}

std::size_t output_columns() {
  if (const char* const variable = std::getenv("COLUMNS"); variable != nullptr) {
    std::size_t columns = 0;
    const char* const end = variable + std::strlen(variable);
    const auto [rest, error] = std::from_chars(variable, end, columns);
    if (error == std::errc{} && rest == end && columns > 0) return columns;
  }
  if (::isatty(STDOUT_FILENO) == 0) return 0;
  constexpr std::size_t kUsual = 80;  // of a terminal that does not report its size
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsual;
}

void set_columns(std::ostream& out, std::size_t columns) {
  out.iword(stream_word()) = static_cast<long>(std::min<std::size_t>(columns, 1'000'000));
}

std::size_t columns_of(std::ostream& out) {
  return static_cast<std::size_t>(out.iword(stream_word()));
}

std::string wrapped(std::string_view text, std::size_t column, std::size_t indent,
                    std::size_t columns) {
  if (columns == 0) return std::string(text);
  std::string lines;
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t size = first_word_size(text);
    const std::size_t width = display_width(text.substr(0, size));
    // An empty word, between two spaces, does not begin a line.
    if (!is_first && width > 0 && column + 1 + width > columns) {
      lines.erase(lines.find_last_not_of(' ') + 1);
      lines.append("\n").append(indent, ' ');
      column = indent;
    } else if (!is_first) {
      lines.push_back(' ');
      ++column;
    }
    lines.append(text.substr(0, size));
    column += width;
    is_first = false;
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return lines;
}

}  // namespace bloometry
