#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/foreign/hostile_bytes.hpp"
#include "variants/foreign/go_bits_and_blooms/base64_url.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;
using GoFilter = GoBitsAndBloomsFilter;

constexpr auto kFileField = "go_bits_and_blooms file"sv;
constexpr auto kJsonField = "go_bits_and_blooms JSON"sv;

GoFilter parsed(std::string_view bytes) {
  return GoFilter::parse(bytes);
}

std::string serialized_go(const GoFilter& filter) {
  return filter.serialize();
}

GoFilter small_filter() {
  GoFilter filter(100, 3);
  for (const char* key : {"a", "b", "hello"}) filter.insert(key);
  return filter;
}

std::string big_endian_bytes(const std::vector<std::uint64_t>& words) {
  std::string bytes;
  for (const std::uint64_t word : words) {
    for (unsigned shift = 64; shift > 0; shift -= 8) {
      bytes.push_back(static_cast<char>(word >> (shift - 8) & 0xffU));
    }
  }
  return bytes;
}

/// Returns the error message for a file that consists of the given words.
std::string error_of(const std::vector<std::uint64_t>& words) {
  return test::message_of<ConfigError>([&] { (void)GoFilter::parse(big_endian_bytes(words)); });
}

std::string json_error(std::string_view text) {
  return test::message_of<ConfigError>([&] { (void)GoFilter::parse_json(text); });
}

}  // namespace

TEST_CASE("go_bits_and_blooms: the example in the README works", "[foreign]") {
  GoFilter filter(64, 1);
  CHECK(filter.insert("a"));
  CHECK(filter.indices("a") == std::vector<std::uint64_t>{9});
  CHECK(filter.serialize() == big_endian_bytes({64, 1, 64, 0x200}));
  CHECK(filter.serialize_json() == R"({"m":64,"k":1,"b":"AAAAAAAAAEAAAAAAAAACAA=="})");
}

TEST_CASE("go_bits_and_blooms: parameters out of range are refused", "[foreign]") {
  const auto error = [](auto make) { return test::message_of<ConfigError>(make); };
  CHECK(error([] { GoFilter(0, 1); }) == "num_bits must be at least 1, got 0");
  CHECK(test::contains_text(error([] { GoFilter(64, 0); }), "num_hashes must be in [1, 1075]"));
  CHECK(test::contains_text(error([] { GoFilter(64, 1076); }), "got 1076"));
  CHECK(error([] { (void)GoFilter::for_capacity(0, 0.01); }) ==
        "capacity must be at least 1, got 0");
  CHECK(error([] { (void)GoFilter::for_capacity(10, 1.5); }) ==
        "target_false_positive_rate must be in (0, 1), got 1.5");
  CHECK(error([] { (void)GoFilter::for_capacity(~std::uint64_t{0}, 0.01); }) ==
        "capacity must give fewer than 2^63 bits, got 18446744073709551615, which gives "
        "176813118818862891008 at the rate 0.01");
}

TEST_CASE("go_bits_and_blooms: the smallest positive rate has a valid k", "[foreign]") {
  CHECK(GoFilter::for_capacity(1, 4.9e-324).num_hashes() == GoFilter::kMaxNumHashes);
}

TEST_CASE("go_bits_and_blooms: errors name the field, the value and what is allowed", "[foreign]") {
  CHECK(test::message_of<ConfigError>([] { (void)GoFilter::parse(""); }) ==
        "go_bits_and_blooms file must have at least 24 bytes, got 0");
  CHECK(error_of({64, 1}) ==
        "go_bits_and_blooms file must have a bit set of at least 8 bytes, got 0");
  CHECK(error_of({0, 1, 0}) == "go_bits_and_blooms file must have an m of at least 1, got 0");
  CHECK(error_of({64, 0, 64, 0}) == "go_bits_and_blooms file must have a k in [1, 1075], got 0");
  CHECK(error_of({64, ~std::uint64_t{0}, 64, 0}) ==
        "go_bits_and_blooms file must have a k in [1, 1075], got 18446744073709551615");
  // The length is 2^64 - 1 bits, so that the bit set would need 2^58 words.
  CHECK(error_of({~std::uint64_t{0}, 1, ~std::uint64_t{0}, 0}) ==
        "go_bits_and_blooms file must have 288230376151711744 words of 8 bytes for a bit set of "
        "length 18446744073709551615, got 8 bytes");
  CHECK(error_of({64, 1, 64}) ==
        "go_bits_and_blooms file must have 1 words of 8 bytes for a bit set of length 64, got 0 "
        "bytes");
  // bits-and-blooms/bloom writes this file for New(0, 1).
  CHECK(error_of({1, 1, 0}) ==
        "go_bits_and_blooms file must have a bit set of length m = 1 or 64 (whole words), got 0");
  CHECK(error_of({64, 1, 0}) ==
        "go_bits_and_blooms file must have a bit set of length m = 64, got 0");
  CHECK(error_of({63, 1, 63, std::uint64_t{1} << 63U}) ==
        "go_bits_and_blooms file must not have bits set from bit 63 on, got bit 63");
  // With m = 2^64 - 1, 64 times the number of words does not fit in 64 bits.
  CHECK(test::contains_text(error_of({~std::uint64_t{0}, 1, 0}), "bit set of length m"));
}

TEST_CASE("go_bits_and_blooms: a bit set of whole words, as from FromWithM, is kept", "[foreign]") {
  const std::string bytes = big_endian_bytes({100, 3, 128, 0x10, 0x800000000});
  const GoFilter filter = GoFilter::parse(bytes);
  CHECK(filter.num_bits() == 100);
  CHECK(filter.bits().test(4));
  CHECK(filter.bits().test(99));
  CHECK(filter.serialize() == bytes);
  CHECK(GoFilter::parse_json(filter.serialize_json()) == filter);
  CHECK(error_of({100, 3, 128, 0x10, 0x1000000000}) ==
        "go_bits_and_blooms file must not have bits set from bit 100 on, got bit 100");
  CHECK(
      test::contains_text(error_of({100, 3, 127, 0, 0}), "m = 100 or 128 (whole words), got 127"));
  CHECK(test::contains_text(error_of({100, 3, 192, 0, 0, 0}),
                            "m = 100 or 128 (whole words), got 192"));
}

TEST_CASE("go_bits_and_blooms: other lengths are refused", "[foreign]") {
  test::check_other_lengths(small_filter().serialize(), kFileField, parsed, serialized_go);
}

TEST_CASE("go_bits_and_blooms: a flipped bit is refused, or changes a cell or k", "[foreign]") {
  const auto is_undetectable = [](std::size_t byte, unsigned bit) {
    if (byte >= 24) return byte >= 32 ? byte > 35 || (byte == 35 && bit < 4) : true;
    return byte == 15 || (byte == 14 && bit < 3);  // k = 3, up to 1027
  };
  test::check_bit_flips(small_filter().serialize(), kFileField, parsed, serialized_go,
                        is_undetectable);
}

TEST_CASE("go_bits_and_blooms: random damage is an error or another filter", "[foreign]") {
  test::check_random_damage(small_filter().serialize(), kFileField, parsed, serialized_go);
  test::check_random_damage(
      small_filter().serialize_json(), kJsonField,
      [](std::string_view text) { return GoFilter::parse_json(text).serialize_json(); },
      [](const std::string& again) { return GoFilter::parse_json(again).serialize_json(); });
}

TEST_CASE("go_bits_and_blooms JSON: fields may have any order and whitespace", "[foreign]") {
  const GoFilter filter = small_filter();
  const std::string text = filter.serialize_json();
  const std::string b = text.substr(text.find("\"b\""));  // "b":"..."}
  CHECK(GoFilter::parse_json(" {\n\t\"k\" : 3 ,\"m\":100,\r\n" + b + "\n") == filter);
  CHECK(GoFilter::parse_json("{" + b.substr(0, b.size() - 1) + ",\"m\":100,\"k\":3}") == filter);
}

TEST_CASE("go_bits_and_blooms JSON: truncated texts and trailing text are refused", "[foreign]") {
  const std::string text = small_filter().serialize_json();
  const std::string refused = std::string(kJsonField).append(" must");
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    CHECK(test::contains_text(json_error(text.substr(0, size)), refused));
  }
  const std::string end = std::to_string(text.size());
  CHECK(test::contains_text(json_error(text + "x"),
                            "must end after its object, got 'x' at byte " + end));
  CHECK(test::contains_text(json_error(text + text),
                            "must end after its object, got '{' at byte " + end));
}

TEST_CASE("go_bits_and_blooms JSON: other texts are refused with the reason", "[foreign]") {
  const std::string b = base64_url(big_endian_bytes({64, 0}));
  const auto object = [&](const std::string& members) { return "{" + members + "}"; };
  const auto b_is = [&](const std::string& text) {
    return object(R"("m":64,"k":1,"b":")" + text + "\"");
  };
  REQUIRE(json_error(b_is(b)) == "nothing thrown");
  const auto refused = [](const std::string& text, const char* why) {
    CAPTURE(text);
    CHECK(test::contains_text(json_error(text), why));
  };
  refused("[]", "must have '{', got '[' at byte 0");
  refused("{}", "must have '\"', got '}' at byte 1");
  refused("null", "must have '{', got 'n' at byte 0");
  refused(" ", "must have '{', got the end at byte 1");
  refused(R"({"m" 64})", "must have ':', got '6' at byte 5");
  refused(R"({"m":64 "k":1})", "must have ',' or '}', got '\"' at byte 8");
  refused(R"({"m":64,"k":1})", "must have the fields m, k and b, got only m, k");
  refused(object(R"("m":64, "m":64,"k":1,"b":")" + b + "\""),
          "must have each field once, got \"m\" again at byte 9");
  refused(object(R"("m":64,"k":1,"n":7,"b":")" + b + "\""),
          "must have only the fields m, k and b, got \"n\" at byte 14");
  refused(object("\"" + std::string(1'000, 'n') + "\":7"),
          ("got \"" + std::string(40, 'n') + "...\" at byte 1").c_str());
  refused(object(R"("M":64,"k":1,"b":")" + b + "\""), "only the fields m, k and b");
  for (const char* number : {"-1", "064", "\"64\"", "18446744073709551616", ""}) {
    refused(object("\"m\":" + std::string(number) + R"(,"k":1,"b":")" + b + "\""),
            ("must have whole numbers in [0, 2^64 - 1] for m and k, got '" + std::string(number) +
             "' at byte 5")
                .c_str());
  }
  for (const char* number : {"1.5", "1e2"}) {
    refused(object("\"m\":" + std::string(number) + R"(,"k":1,"b":")" + b + "\""),
            "must have ',' or '}', got ");
  }
  refused(b_is(b + "\\n"), "must not have escapes in strings, got '\\' at byte ");
  refused(R"({"m":64,"k":1,"b":")" + b, "must close its strings, got the end at byte ");
  refused(b_is("AAA"), "must have padded base64url in b, got 3 bytes that cannot be decoded");
  refused(b_is(b.substr(0, b.size() - 4) + "AA+="), "must have padded base64url");
  refused(b_is("AAAAAAAAAEAAAAAAAgAAAB=="),
          "must have padded base64url");  // sets a bit after the last byte
  refused(b_is("AAAAAAAAAEAAAAAAAgAAA==="), "must have padded base64url");
  refused(b_is("="), "must have padded base64url");
  refused(b_is(""), "must have a bit set of at least 8 bytes, got 0");
  refused(b_is(base64_url(big_endian_bytes({128, 0}))), "must have 2 words of 8 bytes");
  refused(object(R"("m":18446744073709551615,"k":1,"b":")" + b + "\""), "must have a bit set of");
}

TEST_CASE("base64_url: the vectors of RFC 4648 are encoded and decoded", "[foreign]") {
  const std::vector<std::pair<std::string_view, std::string_view>> vectors = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xff\xef\xfe", "_-_-"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(base64_url(bytes) == text);
    CHECK(bytes_of_base64_url(text) == bytes);
  }
  for (const char* text :
       {"Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "=Zg=", "Zg==Zg==", "Zm9v\n"}) {
    CAPTURE(text);
    CHECK_FALSE(bytes_of_base64_url(text).has_value());
  }
}

}  // namespace bloometry
