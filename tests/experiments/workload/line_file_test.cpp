#include "experiments/workload/line_file.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/workload/digest_store.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/experiments/workload/temporary_key_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/compressed.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

std::vector<std::string> lines_of(const std::string& content) {
  const test::TemporaryKeyFile file(content);
  const LineFile keys(file.path());
  std::vector<std::string> lines;
  for (const KeyView& line : keys.lines()) lines.emplace_back(line.data(), line.size());
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("line_file: lines end at LF, and a CR before it is not part of the key",
          "[experiments][workload]") {
  REQUIRE(lines_of("") == Lines{});
  REQUIRE(lines_of("a\nb\n") == Lines{"a", "b"});
  REQUIRE(lines_of("a\nb") == Lines{"a", "b"});
  REQUIRE(lines_of("a\r\nb\r\n") == Lines{"a", "b"});
  REQUIRE(lines_of("a\r\nb\r") == Lines{"a", "b"});
  REQUIRE(lines_of("a\r\r\nb\rc\n") == Lines{"a\r", "b\rc"});
}

TEST_CASE("line_file: the empty line and NUL bytes are keys", "[experiments][workload]") {
  REQUIRE(lines_of("\n") == Lines{""});
  REQUIRE(lines_of("\r\n") == Lines{""});
  REQUIRE(lines_of("a\n\nb\n") == Lines{"a", "", "b"});
  REQUIRE(lines_of("x\0y\nx\0z\nx\n\0\n"s) == Lines{"x\0y"s, "x\0z"s, "x", "\0"s});
}

TEST_CASE("line_file: duplicates are dropped and counted", "[experiments][workload]") {
  const test::TemporaryKeyFile file("b\na\r\nb\na\n\n\nc");
  const LineFile keys(file.path());
  REQUIRE(keys.lines().size() == 4);
  REQUIRE(keys.num_duplicates() == 3);
  REQUIRE(keys.content_hash() == file.source().content_hash);
}

TEST_CASE("line_file: text is decompressed and converted before it is hashed",
          "[experiments][workload]") {
  const std::string text = "caf\xc3\xa9\nzoo\n";
  const test::TemporaryKeyFile plain(text);
  const std::string utf16 = "\xff\xfe"s + "c\0a\0f\0\xe9\0\n\0z\0o\0o\0\n\0"s;
  for (const std::string& content : {test::gzip_of(text), test::zstd_of(text),
                                     "\xef\xbb\xbf" + text, utf16, test::gzip_of(utf16)}) {
    REQUIRE(lines_of(content) == Lines{"caf\xc3\xa9", "zoo"});
    const test::TemporaryKeyFile file(content);
    REQUIRE(LineFile(file.path()).content_hash() == plain.source().content_hash);
  }
  const test::TemporaryKeyFile marked("\xef\xbb\xbf" + text);
  REQUIRE(LineFile(marked.path()).notes() ==
          Lines{marked.path().string() + ": removed the byte order mark of utf-8"});
  REQUIRE(LineFile(plain.path()).notes().empty());
  const std::string packed = test::gzip_of(text);
  REQUIRE_THROWS_AS(lines_of(packed.substr(0, packed.size() - 1)), IoError);
}

TEST_CASE("line_file: a file that cannot be read is an IoError that names it",
          "[experiments][workload]") {
  REQUIRE_THROWS_AS(LineFile("/nowhere/keys.txt"), IoError);
  REQUIRE_THROWS_WITH(LineFile("/nowhere/keys.txt"),
                      "cannot open key file /nowhere/keys.txt: No such file or directory");
  REQUIRE_THROWS_AS(LineFile(std::filesystem::temp_directory_path()), IoError);
}

TEST_CASE(
    "line_file: a split is a permutation that depends on the seed, not on the order of the file",
    "[experiments][workload]") {
  const test::TemporaryKeyFile file("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n");
  const test::TemporaryKeyFile shuffled("eight\nthree\ntwo\none\nseven\nfour\nsix\nfive\n");
  const auto ordered = [](const test::TemporaryKeyFile& source, std::uint64_t seed) {
    const LineFile keys(source.path());
    std::vector<std::string> lines;
    for (const std::uint32_t i : split_order(keys, seed)) {
      lines.emplace_back(keys.lines()[i].data(), keys.lines()[i].size());
    }
    return lines;
  };
  REQUIRE(ordered(file, 1) == ordered(shuffled, 1));
  REQUIRE(ordered(file, 1) != ordered(file, 2));
  auto sorted = ordered(file, 1);
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(std::unique(sorted.begin(), sorted.end()) == sorted.end());
  REQUIRE(sorted.size() == 8);
}

TEST_CASE("line_file: a file that changed after the unit was made is refused",
          "[experiments][workload]") {
  const test::TemporaryKeyFile file(test::numbered_lines(100));
  Unit unit = test::small_unit("standard", 4'000, {{30, 2, 60}});
  unit.keys = file.source();
  file.write(test::numbered_lines(101));
  DigestStore store(1 << 20);
  REQUIRE_THROWS_AS(store.reserve(unit), IoError);
}

}  // namespace bloometry
