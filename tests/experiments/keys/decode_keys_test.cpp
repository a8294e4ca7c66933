#include "experiments/keys/decode_keys.hpp"

#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/keys/split_records.hpp"
#include "tests/support/base64.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

/// Returns the keys of the lines.
std::vector<std::string> keys_in(const std::string& lines, const KeyFormat& format) {
  const std::string name = "keys";
  KeyBatch batch;
  batch.bytes = lines;
  batch.file = &name;
  batch.column = format.column;
  split_records(format, batch, false);
  std::vector<std::string> keys;
  for (const KeyView key : batch.all_keys()) keys.emplace_back(key.data(), key.size());
  return keys;
}

std::string key_in(const std::string& line, const KeyFormat& format) {
  return keys_in(line + "\n", format).at(0);
}

std::string error_of_key(const std::string& line, const KeyFormat& format) {
  return test::message_of<ConfigError>([&] { keys_in(line, format); });
}

std::string random_bytes(std::mt19937_64& random) {
  std::string bytes(random() % 20, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string hex_text(const std::string& bytes, std::string_view digits) {
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) / 16];
    text += digits[static_cast<unsigned char>(byte) % 16];
  }
  return text;
}

const KeyFormat kHex{.kind = KeyFormat::Kind::kHex};
const KeyFormat kBase64{.kind = KeyFormat::Kind::kBase64};
const KeyFormat kUtf16{.has_utf16_keys = true};

}  // namespace

TEST_CASE("hexadecimal keys are decoded", "[keys]") {
  CHECK(keys_in("00fF\r\n\nABcd\n61", kHex) == std::vector{"\0\xff"s, ""s, "\xab\xcd"s, "a"s});
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    const std::string bytes = random_bytes(random);
    REQUIRE(key_in(hex_text(bytes, "0123456789abcdef"), kHex) == bytes);
    REQUIRE(key_in(hex_text(bytes, "0123456789ABCDEF"), kHex) == bytes);
  }
  CHECK(error_of_key("00\n0\n", kHex) ==
        "keys: line 2 must have an even number of hexadecimal digits, got '0'");
  for (const char* line : {"0x61", "6 1 ", "gg", "6\xc3", "/0", ":0", "`0", "@0", "G0"}) {
    CAPTURE(line);
    CHECK(test::contains_text(error_of_key(line, kHex), "must consist of hexadecimal digits"));
  }
}

TEST_CASE("keys in base64 are decoded, in both alphabets, with or without padding", "[keys]") {
  // RFC 4648, section 10.
  const std::vector<std::pair<std::string, std::string>> vectors = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(key_in(text, kBase64) == bytes);
    CHECK(key_in(text.substr(0, text.find('=')), kBase64) == bytes);
  }
  CHECK(key_in("+/+/", kBase64) == "\xfb\xff\xbf");
  CHECK(key_in("-_-_", kBase64) == "\xfb\xff\xbf");
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (std::uint64_t digit = 4 * (random() % 8); digit > 0; --digit) {
      text += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random() % 64];
    }
    REQUIRE(key_in(text, kBase64) == test::bytes_of_base64(text));
  }
  const auto fault = [&](const char* line, const char* text) {
    CAPTURE(line);
    CHECK(test::contains_text(error_of_key(line, kBase64), text));
  };
  fault("Z", "must have a number of base64 digits that encodes whole bytes, got 'Z'");
  fault("Zm9vZ", "must have a number of base64 digits that encodes whole bytes");
  fault("Zg=", "must have complete or no padding");
  fault("Zm8==", "must have complete or no padding");
  fault("Zm9v=", "must have complete or no padding");
  fault("Zm9v====", "must consist of base64 digits");
  fault("Z===", "must consist of base64 digits");
  fault("====", "must consist of base64 digits");
  fault("Zm 9v", "must have a number of base64 digits");
  fault("Zm9v Zm8", "must consist of base64 digits");
  fault("Zh==", "must have unused bits of the last base64 digit that are 0");
  fault("Zm9", "must have unused bits of the last base64 digit that are 0");
}

TEST_CASE("keys in UTF-16 are the bytes of Guava's unencodedCharsFunnel", "[keys]") {
  int num_vectors = 0;
  for (const auto& row : test::interop_vectors().at("guava").at("funnels")) {
    if (row.at("funnel") != "unencodedCharsFunnel") continue;
    const std::string value = row.at("value");
    CAPTURE(value);
    CHECK(key_in(value, kUtf16) == test::bytes_of_hex(row.at("bytes_fed_hex")));
    ++num_vectors;
  }
  CHECK(num_vectors >= 2);
  CHECK(key_in("\xf0\x9f\x98\x80", kUtf16) == "\x3d\xd8\0\xde"s);
  CHECK(key_in("\xf4\x8f\xbf\xbf\xef\xbf\xbf", kUtf16) == "\xff\xdb\xff\xdf\xff\xff"s);
  CHECK(error_of_key("a\ncaf\xe9\n", kUtf16) ==
        "keys: line 2 must be well-formed UTF-8 to be converted to UTF-16, got 'caf\\xe9'");
  KeyFormat csv = parse_key_format("csv:2");
  csv.has_utf16_keys = true;
  CHECK(keys_in("x,\"a\"\"b\"\n\ny,c\n", csv) == std::vector{"a\0\"\0b\0"s, "c\0"s});
  CHECK(test::contains_text(error_of_key("x,\xe9\n", csv), "keys: a key must be well-formed"));
}

TEST_CASE("integers of 4 and 8 bytes are keys of their bytes, little-endian", "[keys]") {
  CHECK(keys_in("12345678", parse_key_format("u32le")) == std::vector{"1234"s, "5678"s});
  CHECK(keys_in("12345678", parse_key_format("u32be")) == std::vector{"4321"s, "8765"s});
  CHECK(keys_in("12345678", parse_key_format("u64be")) == std::vector{"87654321"s});
}

}  // namespace bloometry
