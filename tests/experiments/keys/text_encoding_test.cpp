#include "experiments/keys/text_encoding.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tests/experiments/keys/encoded_text.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;
using test::encoded;
using test::kWide;

}  // namespace

TEST_CASE("text encodings have names", "[keys]") {
  for (const char* name :
       {"auto", "bytes", "utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"}) {
    CHECK(name_of(parse_text_encoding(name)) == name);
  }
  for (const char* name : {"", "utf8", "utf-16", "UTF-8", "latin1"}) {
    CHECK_THROWS_AS(parse_text_encoding(name), ConfigError);
  }
}

TEST_CASE("a byte order mark decides the encoding", "[keys]") {
  for (const TextEncoding encoding : kWide) {
    const std::string mark(byte_order_mark(encoding));
    CHECK(mark == encoded(encoding, U"\ufeff"));
    for (const std::string& text : {mark, mark + encoded(encoding, U"a\n")}) {
      CHECK(find_encoding(text).encoding == encoding);
      CHECK(find_encoding(text).has_mark);
    }
  }
  CHECK(find_encoding("\xef\xbb\xbf").encoding == TextEncoding::kUtf8);
  CHECK(find_encoding("\xef\xbb").encoding == TextEncoding::kBytes);
}

TEST_CASE("text in UTF-16 and UTF-32 is recognised without a mark", "[keys]") {
  for (const TextEncoding encoding : kWide) {
    CAPTURE(name_of(encoding));
    for (const std::u32string_view text : std::initializer_list<std::u32string_view>{
             U"ab", U"abaisser\r\nzoo\r\n", U"caf\u00e9\n", U"price: 5 \u20ac \U0001f600\n"}) {
      const FoundEncoding found = find_encoding(encoded(encoding, text));
      CHECK(found.encoding == encoding);
      CHECK_FALSE(found.has_mark);
    }
    const bool is_utf32 = unit_bytes(encoding) == 4;
    CHECK(find_encoding(encoded(encoding, U"\u4e2d\u6587\na")).encoding ==
          (is_utf32 ? encoding : TextEncoding::kBytes));
    // A character at the end of the window may be incomplete.
    std::u32string text(kEncodingWindow / unit_bytes(encoding) - 1, U'x');
    text += U"\U0001f600";
    const std::string long_text = encoded(encoding, text).substr(0, kEncodingWindow + 1);
    CHECK(find_encoding(long_text).encoding == encoding);
  }
}

TEST_CASE("other bytes are not taken for UTF-16 or UTF-32", "[keys]") {
  const std::vector<std::string> others = {
      "",
      "a",
      "abaisser\nzoo\n",
      "\n\n\n\n",
      "caf\xc3\xa9\n",
      "\xd6\xd0\xce\xc4\n\xd6\xd0\n",  // GB 18030
      "a\0"s,
      "a\0\n"s,
      "a\0b\n"s,
      "a\0\0\0"s,
      "ab\0cd\0"s,             // as `find -print0` writes names
      "x\0y\nx\0z\nx\n\0\n"s,  // keys with NUL bytes
      "ab\0\ncd\0\n"s,         // lines that end in NUL
      "a\0b\0c"s,              // an odd number of bytes
      std::string(4096, '\0'),
      "\1\0\0\0\2\0\0\0"s,                      // integers
      "\x61\0\0\0\0\0\0\0\x62\0\0\0\0\0\0\0"s,  // integers of 8 bytes
      "\0\0\0\x0a\0\0\0\0"s,
      "\x3d\xd8\x0a\0"s,  // an unpaired surrogate
      "\n\0\x3d\xd8"s};
  for (const std::string& bytes : others) {
    CAPTURE(bytes);
    CHECK(find_encoding(bytes).encoding == TextEncoding::kBytes);
  }
}

}  // namespace bloometry
