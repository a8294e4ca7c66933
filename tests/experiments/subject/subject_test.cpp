#include "experiments/subject/subject.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/subject/subject_keys.hpp"
#include "experiments/workload/synthetic_keys.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// A subject that answers its first request with `ok` and its next with the text.
std::string failure_after_new(const std::string& answer) {
  Subject subject(
      {.command = "read x; echo ok; read x; read k; read k; printf '" + answer + "\\n'; sleep 60"},
      SubjectKeys(KeyForm::kHex, 1));
  subject.begin(2, 20, 3);
  const std::vector<std::uint64_t> items{1, 3};
  return message_of<IoError>([&] { subject.query(items); });
}

std::string text_of(KeyForm form, std::uint64_t item) {
  std::string text;
  SubjectKeys(form, 7).append(item, text);
  return text;
}

}  // namespace

TEST_CASE("subject: requests are the lines of the protocol", "[subject]") {
  // Answers with what it read, so that the request itself is seen.
  Subject subject({.command = "read a; read b; read c; echo \"error [$a] [$b] [$c]\""},
                  SubjectKeys(KeyForm::kDecimal, 1));
  const std::vector<std::uint64_t> items{0, 2};
  std::string keys[2];
  SubjectKeys(KeyForm::kDecimal, 1).append(0, keys[0]);
  SubjectKeys(KeyForm::kDecimal, 1).append(2, keys[1]);
  for (std::string& key : keys) key.pop_back();
  CHECK(message_of<IoError>([&] { static_cast<void>(subject.insert(items)); }) ==
        "the subject refused 'insert 2': [insert 2] [" + keys[0] + "] [" + keys[1] + "]");
}

TEST_CASE("subject: a full filter is not an error", "[subject]") {
  Subject subject({.command = "read x; read k; echo full; read x; read k; echo ok; read x; read k; "
                              "echo full"},
                  SubjectKeys(KeyForm::kHex, 1));
  const std::vector<std::uint64_t> items{1};
  CHECK_FALSE(subject.insert(items));
  CHECK(subject.insert(items));
  CHECK_FALSE(subject.merge(items));
}

TEST_CASE("subject: who can tell the fill says so at the start", "[subject]") {
  Subject old({.command = "read x; echo ok"}, SubjectKeys(KeyForm::kHex, 1));
  CHECK_FALSE(old.begin(1, 2, 3));
  Subject able({.command = "read x; echo ok fill; read x; echo 17; read x; echo 17 bits; read x; "
                           "echo -1; read x"},
               SubjectKeys(KeyForm::kHex, 1));
  CHECK(able.begin(1, 2, 3));
  CHECK(able.fill() == 17);
  CHECK(message_of<IoError>([&] { able.fill(); }) ==
        "the subject must answer 'fill' with a whole number, it answered '17 bits'");
  CHECK(message_of<IoError>([&] { able.fill(); }) ==
        "the subject must answer 'fill' with a whole number, it answered '-1'");
}

TEST_CASE("subject: an answer that breaks the protocol is named", "[subject]") {
  CHECK(failure_after_new("010") ==
        "the subject must answer 'query 2' with 2 characters, it answered with 3");
  CHECK(failure_after_new("0x") ==
        "the subject must answer 'query 2' with 0s and 1s, character 2 is 'x'");
  CHECK(failure_after_new("error disk on fire") == "the subject refused 'query 2': disk on fire");
  CHECK(failure_after_new("error") == "the subject refused 'query 2': it gave no reason");
  CHECK(failure_after_new("01") == "nothing thrown");
}

TEST_CASE("subject: what is not ok is not taken for it", "[subject]") {
  Subject subject({.command = "read x; echo OK; sleep 60"}, SubjectKeys(KeyForm::kHex, 1));
  CHECK(
      message_of<IoError>([&] { subject.begin(1, 2, 3); }) ==
      "the subject must answer 'new 1 2 3' with 'ok', 'ok fill' or 'error TEXT', it answered 'OK'");
}

TEST_CASE("subject keys: no two are equal, none holds a line end", "[subject]") {
  for (const KeyForm form : {KeyForm::kHex, KeyForm::kDecimal, KeyForm::kBytes}) {
    std::set<std::string> keys;
    for (const std::uint64_t trial : {0U, 1U, 65'535U}) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        keys.insert(text_of(form, item_number(KeyRole::kMember, i, trial)));
        keys.insert(text_of(form, item_number(KeyRole::kQuery, i, trial)));
      }
    }
    CHECK(keys.size() == 6000);
    for (const std::string& key : keys) CHECK(key.find_first_of("\n\r") == key.size() - 1);
  }
}

TEST_CASE("subject keys: hex, decimal and bytes say the same number", "[subject]") {
  const std::string hex = text_of(KeyForm::kHex, 12);
  REQUIRE(hex.size() == 17);
  CHECK(std::stoull(hex, nullptr, 16) == std::stoull(text_of(KeyForm::kDecimal, 12)));
  const std::string bytes = text_of(KeyForm::kBytes, 12);
  REQUIRE(bytes.size() == 11);
  std::uint64_t value = 0;
  for (int i = 9; i >= 0; --i) {
    const auto byte = static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    CHECK(byte >= 0x80);
    value = value << 7U | (byte & 0x7fU);
  }
  CHECK(value == std::stoull(hex, nullptr, 16));
  CHECK_THROWS_AS(parse_key_form("binary"), ConfigError);
}
