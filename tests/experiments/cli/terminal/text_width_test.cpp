#include "experiments/cli/terminal/text_width.hpp"

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "experiments/cli/terminal/fitted_lines.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

/// Sets the variable COLUMNS during the lifetime of this object.
class ColumnsVariable {
 public:
  explicit ColumnsVariable(const char* value) {
    if (const char* const kept = std::getenv("COLUMNS"); kept != nullptr) kept_ = kept;
    ::setenv("COLUMNS", value, 1);
  }

  ColumnsVariable(const ColumnsVariable&) = delete;
  ColumnsVariable& operator=(const ColumnsVariable&) = delete;

  ~ColumnsVariable() {
    if (kept_) {
      ::setenv("COLUMNS", kept_->c_str(), 1);
    } else {
      ::unsetenv("COLUMNS");
    }
  }

 private:
  std::optional<std::string> kept_;
};

}  // namespace

TEST_CASE("text_width: counts columns of the terminal, not bytes", "[cli]") {
  CHECK(display_width("") == 0);
  CHECK(display_width("données") == 7);
  CHECK(display_width("日本") == 4);
  CHECK(display_width("e\u0301") == 1);   // e and a combining accent
  CHECK(display_width("\xff\xfe") == 2);  // not UTF-8
}

TEST_CASE("text_width: the variable COLUMNS sets the width if it is a number above 0", "[cli]") {
  CHECK((ColumnsVariable("72"), output_columns()) == 72);
  const std::size_t without = (ColumnsVariable(""), output_columns());
  for (const char* value : {"0", "-5", "80x", " 80", "wide", "99999999999999999999999"}) {
    INFO(value);
    const ColumnsVariable variable(value);
    CHECK(output_columns() == without);
  }
}

TEST_CASE("text_width: wraps at spaces, but not in commands and equations", "[cli]") {
  CHECK(wrapped("one two three", 0, 2, 7) == "one two\n  three");
  CHECK(wrapped("one two three", 0, 2, 0) == "one two three");
  CHECK(wrapped("one `two three` four", 0, 0, 8) == "one\n`two three`\nfour");
  CHECK(wrapped("keys, m = 100 bits", 0, 0, 9) == "keys,\nm = 100\nbits");
  CHECK(wrapped("a ` b", 0, 0, 3) == "a `\nb");
  CHECK(wrapped("日本 日本 日本", 0, 0, 9) == "日本 日本\n日本");
  CHECK(wrapped("unbreakable", 0, 0, 3) == "unbreakable");
  CHECK(wrapped("rows      24", 0, 2, 5) == "rows\n  24");
}

TEST_CASE("text_width: fitted lines continue below the value or after an indent", "[cli]") {
  CHECK(fitted("short", 80) == "short");
  CHECK(fitted("a line of words", 0) == "a line of words");
  CHECK(fitted("  rows  one two three", 16) == "  rows  one two\n        three");
  CHECK(fitted("one two three", 8) == "one two\n  three");
  CHECK(fitted("    one two", 8) == "    one\n      two");
  CHECK(fitted("a label that is long  value", 22) == "a label that is long\n  value");
}

TEST_CASE("text_width: FittedLines wraps a stream with a limit and restores it", "[cli]") {
  std::ostringstream out;
  set_columns(out, 8);
  {
    const FittedLines lines(out);
    out << "one two"
        << " three\n"
        << std::flush << "\n"
        << "four five six";
  }
  out << "seven eight nine\n";
  CHECK(out.str() == "one two\n  three\n\nfour\n  five\n  sixseven eight nine\n");
  std::ostringstream unlimited;
  {
    const FittedLines lines(unlimited);
    unlimited << "one two three four\n";
  }
  CHECK(unlimited.str() == "one two three four\n");
}

TEST_CASE("text_width: FittedLines keeps the errors of the stream", "[cli]") {
  std::ostringstream out;
  set_columns(out, 8);
  {
    const FittedLines lines(out);
    out.setstate(std::ios_base::badbit);
  }
  CHECK(out.bad());
}
