#include "experiments/keys/text_decoder.hpp"

#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/text/utf8.hpp"
#include "tests/experiments/keys/encoded_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;
using test::encoded;
using test::kWide;

std::string decoded(TextEncoding encoding, const std::string& bytes, std::size_t piece = 1U << 20U,
                    std::size_t buffer = 4096) {
  ByteStream stream = decoded_text(
      encoding,
      ByteStream([rest = std::string_view(bytes), piece](char* to, std::size_t size) mutable {
        const std::size_t num_read = rest.copy(to, std::min(size, piece));
        rest.remove_prefix(num_read);
        return num_read;
      }),
      "keys");
  std::string all;
  std::vector<char> block(buffer);
  while (const std::size_t num_read = stream.read(block.data(), block.size())) {
    all.append(block.data(), num_read);
  }
  return all;
}

std::string error_of_decoding(TextEncoding encoding, const std::string& bytes) {
  return test::message_of<ConfigError>([&] { decoded(encoding, bytes); });
}

}  // namespace

TEST_CASE("text is decoded, in pieces of any size", "[keys]") {
  std::mt19937_64 random(7);
  std::u32string text = U"a\n\u00e9\r\n\uffff\U0010ffff\U00010000";
  std::string utf8;
  while (text.size() < 100'000) {
    const auto code = static_cast<char32_t>(random() % (1U << (4 + random() % 18)));
    if (is_unicode_scalar(code)) text.push_back(code);
  }
  for (const char32_t code : text) append_utf8(utf8, code);
  for (const TextEncoding encoding : kWide) {
    CAPTURE(name_of(encoding));
    const std::string bytes = encoded(encoding, text);
    CHECK(decoded(encoding, bytes) == utf8);
    CHECK(decoded(encoding, bytes, 1) == utf8);
    CHECK(decoded(encoding, bytes, 7, 1) == utf8);
    CHECK(decoded(encoding, "").empty());
  }
  CHECK(decoded(TextEncoding::kUtf8, utf8) == utf8);
  CHECK(decoded(TextEncoding::kUtf8, utf8, 1) == utf8);
}

TEST_CASE("text that is not well-formed is an error that names the line", "[keys]") {
  const std::string good(100'000, '\n');  // several blocks
  CHECK(error_of_decoding(TextEncoding::kUtf16le, "a\0\n\0\x3d\xd8\n\0"s) ==
        "keys: line 2 must be well-formed utf-16le, got the unpaired surrogate 0xd83d");
  CHECK(error_of_decoding(TextEncoding::kUtf16be, "\xde\0"s) ==
        "keys: line 1 must be well-formed utf-16be, got the unpaired surrogate 0xde00");
  CHECK(error_of_decoding(TextEncoding::kUtf16le, "a\0b"s) ==
        "keys: line 1 must be well-formed utf-16le, got the end of the text after 1 byte of a "
        "character");
  CHECK(error_of_decoding(TextEncoding::kUtf16le, "\x3d\xd8"s) ==
        "keys: line 1 must be well-formed utf-16le, got the end of the text after 2 bytes of a "
        "character");
  CHECK(error_of_decoding(TextEncoding::kUtf32be, "\0\0\xd8\0"s) ==
        "keys: line 1 must be well-formed utf-32be, got the code unit 0x0000d800");
  CHECK(error_of_decoding(TextEncoding::kUtf32le, "\0\0\x11\0"s) ==
        "keys: line 1 must be well-formed utf-32le, got the code unit 0x00110000");
  CHECK(error_of_decoding(TextEncoding::kUtf8, good + "caf\xe9\n") ==
        "keys: line 100001 must be well-formed utf-8, got the byte 0xe9");
  for (const std::string& bad :
       std::vector<std::string>{"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80",
                                "\xe2\x82", "\xf0\x9f\x98", "\xe0\x80"}) {
    CAPTURE(bad);
    CHECK(error_of_decoding(TextEncoding::kUtf8, "a" + bad) != "nothing thrown");
    CHECK(error_of_decoding(TextEncoding::kUtf8, "a" + bad + "b") != "nothing thrown");
  }
}

TEST_CASE("random bytes are decoded to well-formed UTF-8 or refused", "[keys]") {
  std::mt19937_64 random(8);
  int num_decoded = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 12, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random() % 4 == 0 ? random() : random() % 0x30);
    for (const TextEncoding encoding :
         {TextEncoding::kUtf8, TextEncoding::kUtf16le, TextEncoding::kUtf16be,
          TextEncoding::kUtf32le, TextEncoding::kUtf32be}) {
      std::string text;
      try {
        text = decoded(encoding, bytes);
        ++num_decoded;
      } catch (const ConfigError&) {
      }
      REQUIRE(decoded(TextEncoding::kUtf8, text) == text);
    }
  }
  CHECK(num_decoded > 10'000);
}

}  // namespace bloometry
