#include "experiments/keys/file_signature.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

std::string name_of(const std::string& bytes) {
  const FileSignature* const signature = find_signature(bytes);
  return signature == nullptr ? "" : std::string(signature->name);
}

}  // namespace

TEST_CASE("file signature: bzip2 of every level, also without content", "[keys]") {
  for (char level = '1'; level <= '9'; ++level) {
    CAPTURE(level);
    CHECK(name_of("BZh"s + level + "1AY&SY\x24\x5f") == "bzip2 data");
    CHECK(name_of("BZh"s + level + "\x17\x72\x45\x38\x50\x90\0\0\0\0"s) == "bzip2 data");
  }
  CHECK(name_of("BZh01AY&SY").empty());
  CHECK(name_of("BZh:1AY&SY").empty());
  CHECK(name_of("BZh9 is text").empty());
}

TEST_CASE("file signature: the whole signature must be there", "[keys]") {
  const std::string tar = std::string(257, '\0') + "ustar";
  CHECK(name_of(tar) == "a tar archive");
  CHECK(name_of("\xfd\x37zXZ\0"s) == "xz data");
  for (const std::string& whole : {tar, "\xfd\x37zXZ\0"s, "BZh91AY&SY"s, "PAR1"s}) {
    CHECK_FALSE(name_of(whole).empty());
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CHECK(name_of(whole.substr(0, size)).empty());
    }
    CHECK(name_of("x" + whole).empty());
  }
}

TEST_CASE("file signature: the content of a file determines what can be done with it", "[keys]") {
  const auto content_of = [](const std::string& bytes) { return find_signature(bytes)->content; };
  CHECK(content_of("PK\3\4") == FileContent::kPacked);
  CHECK(content_of("%PDF-1.7") == FileContent::kData);
  CHECK(content_of("\xac\xed\0\5"s) == FileContent::kJavaObject);
  CHECK(content_of("\x89\x42LMY\r\n\x1a") == FileContent::kOwnFilter);
}

}  // namespace bloometry
