#include "experiments/text/utf8.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("utf8: every character is encoded and decoded", "[experiments][text]") {
  for (std::uint32_t code = 0; code <= 0x10ffff; ++code) {
    if (!is_unicode_scalar(code)) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Character first = first_utf8_character(text + "x");
    if (first.code != code || first.length != text.size()) FAIL(code);
    if (text.size() == 1) continue;
    if (first_utf8_character(text.substr(0, text.size() - 1) + "\n").length != 0) FAIL(code);
  }
  CHECK_FALSE(is_unicode_scalar(0xd800));
  CHECK_FALSE(is_unicode_scalar(0xdfff));
  CHECK_FALSE(is_unicode_scalar(0x110000));
}

}  // namespace bloometry
