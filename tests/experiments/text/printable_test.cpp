#include "experiments/text/printable.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("printable: readable text stays as it is", "[text][printable]") {
  for (const char* text : {"", "a b~", "keys/\xc3\xa9t\xc3\xa9.txt", "\xe6\x97\xa5\xe6\x9c\xac",
                           "\xf0\x9f\x98\x80", "C:\\new"}) {
    CHECK(printable(text, 60) == text);
  }
}

TEST_CASE("printable: control characters are escaped", "[text][printable]") {
  CHECK(printable("\x1b[31mred\n2nd\r\t\x7f", 60) == "\\x1b[31mred\\n2nd\\r\\t\\x7f");
  CHECK(printable(std::string("a\0b", 3), 60) == "a\\x00b");
  CHECK(printable("\xc2\x9b"
                  "31m",
                  60) == "\\xc2\\x9b31m");  // CSI as one character
  CHECK(printable("a\xe2\x80\xae"
                  "b",
                  60) ==
        "a\\xe2\\x80\\xae"
        "b");  // the bytes switch to right-to-left text
  CHECK(printable("a\xe2\x80\xa8"
                  "b",
                  60) ==
        "a\\xe2\\x80\\xa8"
        "b");  // line separator
}

TEST_CASE("printable: bytes that are not UTF-8 are escaped one by one", "[text][printable]") {
  CHECK(printable("\xff", 60) == "\\xff");
  CHECK(printable("\xc3", 60) == "\\xc3");  // torn
  CHECK(printable("\xc3(", 60) == "\\xc3(");
  CHECK(printable("\xc0\x80", 60) == "\\xc0\\x80");                    // overlong
  CHECK(printable("\xed\xa0\x80", 60) == "\\xed\\xa0\\x80");           // surrogate
  CHECK(printable("\xf4\x90\x80\x80", 60) == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
}

TEST_CASE("printable: a long text is cut in the middle, between characters", "[text][printable]") {
  CHECK(printable("0123456789", 10) == "0123456789");
  CHECK(printable("0123456789a", 9) == "0123...9a");
  CHECK(printable("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 10) ==
        "\xc3\xa9\xc3\xa9...\xc3\xa9");
  CHECK(printable("\n\n\n\n\n\n", 10) == "\\n\\n...\\n");
  for (std::size_t max = 0; max < 20; ++max) {
    CHECK(printable(std::string(100, '\n'), max).size() <= std::max<std::size_t>(max, 3));
  }
  const std::string large(100'000'000, '\x1b');
  CHECK(printable(large, 400).size() <= 400);
}

TEST_CASE("name_unless_secret: a name that may be a secret is left out", "[text][printable]") {
  CHECK(name_unless_secret("000102030405060708090a0b0c0d0e0f") ==
        "(32 hexadecimal digits, which may be a secret)");
  CHECK(name_unless_secret("0001020304050607") == "(16 hexadecimal digits, which may be a secret)");
  CHECK(name_unless_secret("ABCDEF0123456789ABCDEF0123456789A") ==
        "(33 hexadecimal digits, which may be a secret)");
  for (const char* const name :
       {"", "deadbeef", "000102030405060", "urls.bloom", "./000102030405060708090a0b0c0d0e0f"}) {
    CHECK(name_unless_secret(name) == name);
  }
}

TEST_CASE("printable: printable text is not changed again", "[text][printable]") {
  const std::string once = printable("\x1b\xff\n" + std::string(1000, 'x'), 400);
  CHECK(printable(once, 400) == once);
}

}  // namespace bloometry
