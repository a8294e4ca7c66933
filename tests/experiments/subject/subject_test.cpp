#include "experiments/subject/subject.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "experiments/subject/subject_keys.hpp"
#include "experiments/workload/synthetic_keys.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// Returns the error message for a subject that answers the first request with `ok`, and the next
/// request with `answer`.
std::string failure_after_new(const std::string& answer) {
  Subject subject(
      {.command = "read x; echo ok; read x; read k; read k; printf '" + answer + "\\n'; sleep 60"},
      SubjectKeys("random", KeyEncoding::kHex, 1));
  subject.begin(2, 20, 3);
  const std::vector<std::uint64_t> items{1, 3};
  return message_of<IoError>([&] { subject.query(items); });
}

std::string text_of(KeyEncoding encoding, std::uint64_t item, std::string_view source = "random") {
  std::string text;
  SubjectKeys(source, encoding, 7).append(item, text);
  return text;
}

}  // namespace

TEST_CASE("subject: requests follow the protocol", "[subject]") {
  // The subject answers with the lines that it has read, so that the test can check the request.
  Subject subject({.command = "read a; read b; read c; echo \"error [$a] [$b] [$c]\""},
                  SubjectKeys("random", KeyEncoding::kDecimal, 1));
  const std::vector<std::uint64_t> items{0, 2};
  std::string keys[2];
  SubjectKeys("random", KeyEncoding::kDecimal, 1).append(0, keys[0]);
  SubjectKeys("random", KeyEncoding::kDecimal, 1).append(2, keys[1]);
  for (std::string& key : keys) key.pop_back();
  CHECK(message_of<IoError>([&] { static_cast<void>(subject.insert(items)); }) ==
        "the subject refused 'insert 2': [insert 2] [" + keys[0] + "] [" + keys[1] + "]");
}

TEST_CASE("subject: a full filter is not an error", "[subject]") {
  Subject subject({.command = "read x; read k; echo full; read x; read k; echo ok; read x; read k; "
                              "echo full"},
                  SubjectKeys("random", KeyEncoding::kHex, 1));
  const std::vector<std::uint64_t> items{1};
  CHECK_FALSE(subject.insert(items));
  CHECK(subject.insert(items));
  CHECK_FALSE(subject.merge(items));
}

TEST_CASE("subject: a subject that reports fills announces it in its first answer", "[subject]") {
  Subject old({.command = "read x; echo ok"}, SubjectKeys("random", KeyEncoding::kHex, 1));
  CHECK_FALSE(old.begin(1, 2, 3));
  Subject able({.command = "read x; echo ok fill; read x; echo 17; read x; echo 17 bits; read x; "
                           "echo -1; read x"},
               SubjectKeys("random", KeyEncoding::kHex, 1));
  CHECK(able.begin(1, 2, 3));
  CHECK(able.fill() == 17);
  CHECK(message_of<IoError>([&] { able.fill(); }) ==
        "the subject must answer 'fill' with a whole number, got '17 bits'");
  CHECK(message_of<IoError>([&] { able.fill(); }) ==
        "the subject must answer 'fill' with a whole number, got '-1'");
}

TEST_CASE("subject: an answer that violates the protocol is reported", "[subject]") {
  CHECK(failure_after_new("010") == "the subject must answer 'query 2' with 2 characters, got 3");
  CHECK(failure_after_new("0x") ==
        "the subject must answer 'query 2' with 0s and 1s, but character 2 is 'x'");
  CHECK(failure_after_new("error disk on fire") == "the subject refused 'query 2': disk on fire");
  CHECK(failure_after_new("error") == "the subject refused 'query 2': the reason is not given");
  CHECK(failure_after_new("01") == "nothing thrown");
}

TEST_CASE("subject: only the exact text ok is accepted", "[subject]") {
  Subject subject({.command = "read x; echo OK; sleep 60"},
                  SubjectKeys("random", KeyEncoding::kHex, 1));
  CHECK(message_of<IoError>([&] { subject.begin(1, 2, 3); }) ==
        "the subject must answer 'new 1 2 3' with 'ok', 'ok fill' or 'error TEXT', got 'OK'");
}

TEST_CASE("subject keys: keys are distinct and without line ends", "[subject]") {
  for (const KeyEncoding encoding :
       {KeyEncoding::kHex, KeyEncoding::kDecimal, KeyEncoding::kBytes}) {
    const auto source = GENERATE(from_range(integer_sources()));
    CAPTURE(source);
    std::set<std::string> keys;
    for (const std::uint64_t trial : {0U, 1U, 65'535U}) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        keys.insert(text_of(encoding, item_number(KeyRole::kMember, i, trial), source));
        keys.insert(text_of(encoding, item_number(KeyRole::kQuery, i, trial), source));
      }
    }
    CHECK(keys.size() == 6000);
    for (const std::string& key : keys) CHECK(key.find_first_of("\n\r") == key.size() - 1);
  }
}

TEST_CASE("subject keys: patterns start at their first key, other seeds at other trials",
          "[subject]") {
  const auto key = [](std::string_view source, std::uint64_t item, std::uint64_t seed) {
    std::string text;
    SubjectKeys(source, KeyEncoding::kHex, seed).append(item, text);
    return text;
  };
  CHECK(key("sequential", 3, 1) == "0000000000000003\n");
  CHECK(key("strided", 3, 1) == "0000000000030000\n");
  for (const std::string& source : integer_sources()) {
    CAPTURE(source);
    CHECK(key(source, 3, 1) != key(source, 3, 2));
  }
  CHECK(message_of<ConfigError>([&] { key("sequental", 3, 1); }) ==
        "keys must be one of random, sequential, strided, high_half, thousands, top_16_bits, "
        "top_10_bits, both_halves, got 'sequental'");
}

TEST_CASE("subject keys: hexadecimal, decimal and bytes encode the same number", "[subject]") {
  const std::string hex = text_of(KeyEncoding::kHex, 12);
  REQUIRE(hex.size() == 17);
  CHECK(std::stoull(hex, nullptr, 16) == std::stoull(text_of(KeyEncoding::kDecimal, 12)));
  const std::string bytes = text_of(KeyEncoding::kBytes, 12);
  REQUIRE(bytes.size() == 11);
  std::uint64_t value = 0;
  for (int i = 9; i >= 0; --i) {
    const auto byte = static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    CHECK(byte >= 0x80);
    value = value << 7U | (byte & 0x7fU);
  }
  CHECK(value == std::stoull(hex, nullptr, 16));
  CHECK_THROWS_AS(parse_key_encoding("binary"), ConfigError);
}
