#include "experiments/keys/key_bytes.hpp"

#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/experiments/keys/encoded_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

struct Result {
  std::string bytes{};
  std::vector<std::string> notes{};
};

Result result_of(const std::string& input, const char* format = "lines",
                 TextEncoding encoding = TextEncoding::kAuto, std::size_t piece = 1U << 20U,
                 bool is_pipe = false) {
  Result result;
  ByteStream raw([rest = std::string_view(input), piece](char* to, std::size_t size) mutable {
    const std::size_t num_read = rest.copy(to, std::min(size, piece));
    rest.remove_prefix(num_read);
    return num_read;
  });
  ByteStream stream = key_bytes({.bytes = std::move(raw), .name = "keys", .is_pipe = is_pipe},
                                parse_key_format(format), encoding,
                                [&](const std::string& note) { result.notes.push_back(note); });
  std::array<char, 1000> block{};
  while (const std::size_t num_read = stream.read(block.data(), block.size())) {
    result.bytes.append(block.data(), num_read);
  }
  return result;
}

const std::string kMark = "\xef\xbb\xbf";

}  // namespace

TEST_CASE("key bytes: plain bytes are not changed", "[keys]") {
  for (const std::string& text :
       {""s, "\n"s, "a"s, "a\nb"s, "\xef\xbb"s, "caf\xe9\n"s, std::string(100'000, 'x') + "\n"}) {
    const Result result = result_of(text);
    CHECK(result.bytes == text);
    CHECK(result.notes.empty());
  }
}

TEST_CASE("key bytes: a byte order mark is removed and noted, in any pieces", "[keys]") {
  for (const char* format : {"lines", "csv:1", "csv:name", "hex", "base64"}) {
    for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
      for (const bool is_pipe : {false, true}) {
        const Result result =
            result_of(kMark + "abaisser\nzoo\n", format, TextEncoding::kAuto, piece, is_pipe);
        CHECK(result.bytes == "abaisser\nzoo\n");
        CHECK(result.notes == std::vector{"keys: removed the byte order mark of utf-8"s});
      }
    }
  }
  CHECK(result_of(kMark).bytes.empty());
  CHECK(result_of(kMark + kMark + "a").bytes == kMark + "a");  // only the first is a mark
  CHECK(result_of(kMark + "a\n", "lines", TextEncoding::kBytes).bytes == kMark + "a\n");
  CHECK(result_of(kMark + "a\n", "u64le").bytes == kMark + "a\n");
}

TEST_CASE("key bytes: text in UTF-16 and UTF-32 is converted and noted", "[keys]") {
  for (const TextEncoding encoding : test::kWide) {
    const std::string name(name_of(encoding));
    CAPTURE(name);
    const std::string text = test::encoded(encoding, U"caf\u00e9\r\nzoo\r\n");
    const std::string marked = test::encoded(encoding, U"\ufeff") + text;
    for (const TextEncoding given : {TextEncoding::kAuto, encoding}) {
      for (const std::size_t piece : {1U, 3U, 1000U}) {
        const Result result = result_of(marked, "lines", given, piece);
        CHECK(result.bytes == "caf\xc3\xa9\r\nzoo\r\n");
        CHECK(result.notes == std::vector{"keys: removed the byte order mark of " + name +
                                          " and converted the text to utf-8"});
        CHECK(result_of(text, "lines", given, piece).bytes == "caf\xc3\xa9\r\nzoo\r\n");
      }
    }
    CHECK(result_of(text).notes.size() == 1);
    CHECK(result_of(text, "lines", encoding).notes.empty());
    CHECK(result_of(text, "lines", TextEncoding::kBytes).bytes == text);
    CHECK(result_of(text, "u32le").bytes == text);
    CHECK(test::contains_text(
        test::message_of<ConfigError>([&] { result_of(marked, "lines", TextEncoding::kUtf8); }),
        "keys must be in utf-8, the given encoding, got the byte order mark of " + name));
  }
}

TEST_CASE("key bytes: compressed keys are decompressed and then converted", "[keys]") {
  const std::string text = test::encoded(TextEncoding::kUtf16le, U"\ufeffa\nb\n");
  for (const std::string& packed : {test::gzip_of(text), test::zstd_of(text)}) {
    for (const std::size_t piece : {1U, 1000U}) {
      CHECK(result_of(packed, "lines", TextEncoding::kAuto, piece, true).bytes == "a\nb\n");
    }
    CHECK(result_of(packed, "u64le").bytes == text);
    CHECK(result_of(packed, "lines", TextEncoding::kBytes).bytes == text);
    for (std::size_t size = 4; size < packed.size(); ++size) {
      CHECK(test::contains_text(
          test::message_of<ConfigError>([&] { result_of(packed.substr(0, size)); }),
          "keys must be complete "));
    }
  }
  // Integers that begin like the header of gzip.
  const std::string integer("\x1f\x8b\x08\0\0\0\0\0", 8);
  CHECK(result_of(integer, "u64le").bytes == integer);
  CHECK(result_of(integer + "\x20\x8b\x08\0\0\0\0\0"s, "u64le").bytes.size() == 16);
}

TEST_CASE("key bytes: data that were compressed twice are decompressed once and noted", "[keys]") {
  const auto warning_of = [](const std::string& what) {
    return std::vector{"warning: keys must be text, got " + what +
                       " data, of which only the outer compression is removed; its bytes are used "
                       "as keys without changes (--text-encoding selects an encoding)"};
  };
  const std::string inner = test::gzip_of("a\n");
  CHECK(result_of(test::gzip_of(inner)).bytes == inner);
  CHECK(result_of(test::gzip_of(inner)).notes == warning_of("gzip data inside gzip"));
  CHECK(result_of(test::zstd_of(inner)).notes == warning_of("gzip data inside zstd"));
  CHECK(result_of(test::gzip_of(test::zstd_of("a\n"))).notes ==
        warning_of("zstd data inside gzip"));
  CHECK(result_of(test::gzip_of(inner), "u64le").notes.empty());
}

TEST_CASE("key bytes: only the mark at the beginning of all members is removed", "[keys]") {
  const std::string member = test::gzip_of(kMark + "a\n");
  const Result result = result_of(member + member);
  CHECK(result.bytes == "a\n" + kMark + "a\n");
  CHECK(result.notes == std::vector{"keys: removed the byte order mark of utf-8"s});
}

TEST_CASE("key bytes: binary data are noted and not changed", "[keys]") {
  const auto note = [](const std::string& what) {
    return std::vector{
        "warning: keys must be text, got " + what +
        "; its bytes are used as keys without changes (--text-encoding selects an encoding)"};
  };
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"a\0b\n"s, "the control character 0x00 at byte 2"},
      {kMark + "\x1b[0m\n", "the control character 0x1b at byte 1"},
      {"\xfd\x37zXZ\0\0\4"s, "xz data"},
      {"BZh91AY&SY\0"s, "bzip2 data"},
      {"PK\3\4\x14\0"s, "a ZIP archive"},
      {"PAR1\x15\4"s, "a Parquet file"},
      {"\x89"
       "BLMY\r\n\x1a"s,
       "a filter file of bloometry"}};
  for (const auto& [bytes, what] : inputs) {
    CAPTURE(what);
    for (const char* format : {"lines", "csv:1"}) {
      const Result result = result_of(bytes, format);
      CHECK(result.bytes == (bytes.starts_with(kMark) ? bytes.substr(3) : bytes));
      CHECK(std::vector{result.notes.back()} == note(what));
    }
    CHECK(result_of(bytes, "lines", TextEncoding::kBytes).notes.empty());
    CHECK(result_of(bytes, "u64le").notes.empty());
  }
  CHECK(result_of("BZh is text\n").notes.empty());
}

TEST_CASE("key bytes: only the first 4096 bytes determine the encoding and the warning", "[keys]") {
  const std::string zeros = test::encoded(TextEncoding::kUtf16le, std::u32string(2048, U'a'));
  REQUIRE(zeros.size() == 4096);
  for (const std::size_t piece : {1U, 7U, 1U << 20U}) {
    CAPTURE(piece);
    // Not UTF-16, but 4096 bytes of it.
    CHECK(test::contains_text(test::message_of<ConfigError>([&] {
                                result_of(zeros + "\0\xd8\n\0"s, "lines", TextEncoding::kAuto,
                                          piece);
                              }),
                              "must be well-formed utf-16le"));
    const std::string text = std::string(4096, 'a') + "\0\n"s;
    CHECK(result_of(text, "lines", TextEncoding::kAuto, piece).notes.empty());
    const std::string control = std::string(4095, 'a') + "\0\n"s;
    CHECK(result_of(control, "lines", TextEncoding::kAuto, piece).notes.size() == 1);
  }
}

TEST_CASE("key bytes: a pipe is not read beyond its first line", "[keys]") {
  int num_reads = 0;
  ByteStream raw([&](char* to, std::size_t) {
    ++num_reads;
    REQUIRE(num_reads == 1);
    to[0] = 'P';  // the first byte of a frame of zstd that can be skipped
    to[1] = '\n';
    return std::size_t{2};
  });
  ByteStream stream = key_bytes({.bytes = std::move(raw), .name = "keys", .is_pipe = true}, {},
                                TextEncoding::kAuto, [](const std::string&) {});
  std::array<char, 1000> block{};
  CHECK(stream.read(block.data(), block.size()) == 2);
}

}  // namespace bloometry
