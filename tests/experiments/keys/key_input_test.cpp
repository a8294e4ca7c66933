#include "experiments/keys/key_input.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "experiments/keys/key_count.hpp"
#include "experiments/keys/split_records.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// All keys, records and names that an input returns.
struct Cut {
  std::vector<std::string> keys{};
  std::vector<std::string> records{};
  std::string names{};
};

Cut cut(KeyInput& input) {
  Cut all;
  KeyBatch batch;
  while (input.read(batch)) {
    split_records(input.format(), batch, true);
    all.names += batch.names;
    for (std::size_t i = 0; i < batch.num_keys; ++i) {
      all.keys.emplace_back(batch.keys[i].data(), batch.keys[i].size());
      all.records.emplace_back(batch.records[i]);
    }
  }
  return all;
}

class Files {
 public:
  fs::path add(const std::string& text) {
    const fs::path path = folder_.path() / ("keys" + std::to_string(++num_files_));
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  test::TempFolder folder_;
  int num_files_ = 0;
};

using Texts = std::vector<std::string>;

Texts keys_of(const std::string& text, const std::string& format) {
  Files files;
  KeyInput input({files.add(text)}, parse_key_format(format));
  const Texts keys = cut(input).keys;
  input.rewind();
  CHECK(count_keys(input, [] {}) == keys.size());
  CHECK(cut(input).keys == keys);  // counting rewinds
  return keys;
}

TEST_CASE("a line is a key, without CR and LF", "[keys]") {
  CHECK(keys_of("", "lines") == Texts{});
  CHECK(keys_of("a\nb\r\n\n\r\nc\rd\ne", "lines") == Texts{"a", "b", "", "", "c\rd", "e"});
  CHECK(keys_of(std::string("a\0b\n", 4), "lines") == Texts{std::string("a\0b", 3)});
  CHECK(keys_of("\n", "lines") == Texts{""});
}

TEST_CASE("records of the options are keys after the files, without any decoding", "[keys]") {
  Files files;
  KeyInputOptions options{.records = {"\xef\xbb\xbf c", "", "\x1f\x8b\x08 d", "e f"},
                          .record_option = "--key"};
  const Texts records = options.records;
  KeyInput input({files.add("a\nb\n")}, {}, options);
  Texts keys = {"a", "b"};
  keys.insert(keys.end(), records.begin(), records.end());
  CHECK(cut(input).keys == keys);
  CHECK(input.can_rewind());
  input.rewind();
  CHECK(count_keys(input, [] {}) == keys.size());
  CHECK(cut(input).keys == keys);
  // Standard input is not read.
  KeyInput alone({}, {}, options);
  CHECK(cut(alone).keys == records);
  CHECK(alone.name() == "--key");
  options.records.clear();
  const auto error_of = [&](const std::string& name) {
    return test::message_of<ConfigError>([&] { KeyInput missing({name}, {}, options); });
  };
  CHECK(error_of("user5") ==
        "cannot open key file user5: No such file or directory; to give a key itself: --key user5");
  CHECK(error_of("it's").ends_with("--key 'it'\\''s'"));
  options.record_option.clear();
  CHECK(error_of("user5") == "cannot open key file user5: No such file or directory");
}

TEST_CASE("integers are keys of 8 bytes, little-endian whatever the file's order", "[keys]") {
  const std::string bytes = "12345678abcdefgh";
  CHECK(keys_of(bytes, "u64le") == Texts{"12345678", "abcdefgh"});
  CHECK(keys_of(bytes, "u64be") == Texts{"87654321", "hgfedcba"});
}

TEST_CASE("a field of each row is a key", "[keys]") {
  const std::string text =
      "\xef\xbb\xbfname,\"e,mail\",n\r\n"
      "ann,a@x,1\r\n"
      "\r\n"
      "\"b \"\"bo\"\" b\",\"b\n@x\",2\n"
      "\n"
      ",,\n"
      "dora,d@x,4";
  CHECK(keys_of(text, "csv:e,mail") == Texts{"a@x", "b\n@x", "", "d@x"});
  CHECK(keys_of(text, "csv:name") == Texts{"ann", "b \"bo\" b", "", "dora"});
  CHECK(keys_of(text, "csv:n") == Texts{"1", "2", "", "4"});
  CHECK(keys_of(text, "csv:3") == Texts{"n", "1", "2", "", "4"});
}

TEST_CASE("a quote inside a field is part of the key, also at the ends of batches", "[keys]") {
  CHECK(keys_of("size,x\n5\" disk,1\n\"multi\nline\",2\n", "csv:size") ==
        Texts{"5\" disk", "multi\nline"});
  CHECK(keys_of("a\"b\n\"c\"\"\nd\"\n\"\"\n", "csv:1") == Texts{"a\"b", "c\"\nd", ""});
  // The input fills many batches. Each batch must end after a complete row.
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "3\" disk,\"new\nline\"\n";
  CHECK(keys_of(text, "csv:2") == Texts(100'000, "new\nline"));
}

TEST_CASE("the row of names comes from the first file that has one", "[keys]") {
  Files files;
  KeyInput input({files.add(""), files.add("x,y"), files.add("x,y\n1,2\n")},
                 parse_key_format("csv:y"));
  const Cut all = cut(input);
  CHECK(all.names == "x,y");
  CHECK(all.keys == Texts{"2"});
}

TEST_CASE("a record is the bytes from which a key was cut", "[keys]") {
  Files files;
  KeyInput lines({files.add("a\nb\r\nc")}, {});
  CHECK(cut(lines).records == Texts{"a\n", "b\r\n", "c"});
  KeyInput integers({files.add("12345678")}, parse_key_format("u64be"));
  CHECK(cut(integers).records == Texts{"12345678"});
  KeyInput rows({files.add("x,y\n1,\"2\n\"\n\n3,4\n"), files.add("y,x\n5,6\n")},
                parse_key_format("csv:y"));
  const Cut all = cut(rows);
  CHECK(all.names == "x,y\n");
  CHECK(all.records == Texts{"1,\"2\n\"\n", "3,4\n", "5,6\n"});
  CHECK(all.keys == Texts{"2\n", "4", "5"});
}

TEST_CASE("a compressed file is read twice, and its notes are passed once", "[keys]") {
  Files files;
  Texts expected;
  std::string text = "\xef\xbb\xbf";
  for (int i = 0; i < 200'000; ++i) {
    expected.push_back(std::to_string(i));
    text += expected.back() + "\n";
  }
  Texts notes;
  const fs::path plain = files.add("a\n");
  const fs::path packed = files.add(test::gzip_of(text));
  KeyInput input({packed, plain, packed}, {},
                 {.on_note = [&](const std::string& note) { notes.push_back(note); }});
  CHECK(count_keys(input, [] {}) == 2 * expected.size() + 1);
  Texts keys = cut(input).keys;
  REQUIRE(keys.size() == 2 * expected.size() + 1);
  CHECK(keys[expected.size()] == "a");
  keys.resize(expected.size());
  CHECK(keys == expected);
  // The same file is two sources.
  CHECK(notes == Texts(2, packed.string() + ": removed the byte order mark of utf-8"));
}

TEST_CASE("a damaged file is an error, also after its last key", "[keys]") {
  Files files;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i) + "\n";
  for (const std::string& packed : {test::gzip_of(text), test::zstd_of(text)}) {
    KeyInput input({files.add(packed.substr(0, packed.size() - 3))}, {});
    CHECK(test::contains_text(test::message_of<ConfigError>([&] { cut(input); }),
                              "must be complete "));
    KeyInput longer({files.add(packed + "x")}, {});
    CHECK(test::message_of<ConfigError>([&] { cut(longer); }) != "nothing thrown");
  }
}

TEST_CASE("a compressed line without end is refused, not read into memory", "[keys]") {
  Files files;
  const std::string packed = test::gzip_of(std::string(std::size_t{64} << 20U, '\0'));
  KeyInput input({files.add(packed)}, {});
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { cut(input); }), "at most 16 MiB"));
}

TEST_CASE("sources without keys are refused or accepted", "[keys]") {
  Files files;
  const fs::path full = files.add("a\n");
  for (const std::string& text : {std::string(), std::string("\xef\xbb\xbf"), test::gzip_of(""),
                                  test::zstd_of("") + test::zstd_of("")}) {
    const fs::path empty = files.add(text);
    const auto error = [&](const std::vector<fs::path>& paths, const char* format,
                           EmptySources may_be_empty) {
      KeyInput input(paths, parse_key_format(format), {.may_be_empty = may_be_empty});
      return test::message_of<ConfigError>([&] { cut(input); });
    };
    for (const char* format : {"lines", "hex", "csv:1"}) {
      CHECK(error({full, empty}, format == std::string("hex") ? "lines" : format,
                  EmptySources::kNone) ==
            empty.string() +
                " must contain at least one key, got an empty file; --allow-empty accepts it");
      CHECK(error({empty}, format, EmptySources::kStandardInput) != "nothing thrown");
      CHECK(error({empty, full}, "lines", EmptySources::kAny) == "nothing thrown");
    }
  }
  CHECK(keys_of("\n", "lines") == Texts{""});
}

TEST_CASE("a line that cannot be decoded is named by its number in the file", "[keys]") {
  Files files;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "00ff\n";
  KeyInput input({files.add(text + "0x\n")}, parse_key_format("hex"));
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { cut(input); }),
                            ": line 200001 must consist of hexadecimal digits"));
}

TEST_CASE("batches end between records, of any length", "[keys]") {
  std::mt19937_64 random(11);
  for (const char* format : {"lines", "csv:1"}) {
    Texts keys;
    std::string text;
    // Some keys are longer than a batch, and some are longer than several batches.
    for (const std::size_t most : {10U, 1000U, 300'000U, 900'000U}) {
      for (int i = 0; i < 40; ++i) {
        keys.emplace_back(1 + random() % most, static_cast<char>('a' + random() % 26));
        text += keys.back() + "\n";
      }
    }
    CHECK(keys_of(text, format) == keys);
  }
}

TEST_CASE("a record that is too long is refused, not read into memory", "[keys]") {
  Files files;
  const std::string longest(kMaxRecordBytes, 'x');
  CHECK(keys_of(longest + "\r\n" + longest, "lines") == Texts{longest, longest});
  const std::string line = longest + 'x';
  for (const std::string& text : {line, line + "\n", line + "\r\n", "a\n" + line + "\nb\n",
                                  longest + "\n" + line, longest + longest}) {
    CHECK(test::contains_text(test::message_of<ConfigError>([&] { keys_of(text, "lines"); }),
                              "a line must be at most 16 MiB long"));
  }
  CHECK(keys_of("a\n" + longest + "\nb\n", "csv:1") == Texts{"a", longest, "b"});
  CHECK(keys_of(longest, "csv:1") == Texts{longest});
  CHECK(test::contains_text(
      test::message_of<ConfigError>([&] { keys_of("a\n" + line + "\nb\n", "csv:1"); }),
      "row 2 must be at most 16 MiB long"));
  KeyInput input({files.add(line + "\n")}, {});
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { cut(input); }), "at most 16 MiB"));
  KeyInput open_quote({files.add("a\n\"" + line)}, parse_key_format("csv:1"));
  CHECK(
      test::contains_text(test::message_of<ConfigError>([&] { cut(open_quote); }),
                          "row 2 must be at most 16 MiB long, got more; a quote may be unclosed"));
}

TEST_CASE("a column name that occurs twice is refused", "[keys]") {
  const auto error = [&](const std::string& text) {
    return test::message_of<ConfigError>([&] { keys_of(text, "csv:id"); });
  };
  CHECK(keys_of("x,id,y\n1,2,3\n", "csv:id") == Texts{"2"});
  CHECK(test::contains_text(error("id,id\n1,2\n"),
                            "the first row must contain the column name 'id' once, got it in "
                            "columns 1 and 2"));
  CHECK(test::contains_text(error("id,x,\"id\"\n1,2,3\n"), "in columns 1 and 3"));
  CHECK(keys_of("id,id\n1,2\n", "csv:2") == Texts{"id", "2"});
}

TEST_CASE("errors of keys name file and row", "[keys]") {
  Files files;
  const auto error = [&](const std::string& text, const std::string& format) {
    return test::message_of<ConfigError>([&] { keys_of(text, format); });
  };
  CHECK(test::contains_text(
      error("123456789", "u64le"),
      "must have a multiple of 8 bytes, the size of an integer, got 1 byte after"));
  CHECK(test::contains_text(error("a,b\n1,2\n3\n", "csv:2"),
                            "row 3 must have at least 2 columns, got 1"));
  CHECK(test::contains_text(error("a,b\n1,2\n3\n", "csv:b"),
                            "row 3 must have at least 2 columns, got 1"));
  CHECK(test::contains_text(error("a\n\"b\"c\n", "csv:1"),
                            "row 2 column 1 must end after its closing quote, got further text"));
  CHECK(test::contains_text(error("a,b\n1,\"c\n", "csv:1"),
                            "row 2 column 2 must have a closing quote, got the end of the input"));
  CHECK(
      test::contains_text(error("a,b\n", "csv:c"), "must contain the column name 'c', got 'a,b'"));
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { KeyInput({files.folder()}, {}); }),
                            " must not be a folder"));
  CHECK(test::contains_text(test::message_of<ConfigError>([&] { KeyInput({"/no/such/file"}, {}); }),
                            "cannot open key file /no/such/file: "));
}

TEST_CASE("a FIFO is spooled and can be read twice", "[keys]") {
  Files files;
  const fs::path fifo = files.folder() / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
  std::jthread writer([&] { std::ofstream(fifo, std::ios::binary) << text; });
  KeyInput input({files.add("first"), fifo, files.add("last\n")}, {});
  CHECK_FALSE(input.can_rewind());
  CHECK_FALSE(input.num_bytes());
  input.spool([](std::uint64_t) {});
  CHECK(input.can_rewind());
  CHECK(input.num_bytes() == 5 + text.size() + 5);
  CHECK(count_keys(input, [] {}) == 100'002);
  const Texts keys = cut(input).keys;
  REQUIRE(keys.size() == 100'002);
  CHECK(keys.front() == "first");
  CHECK(keys[1] == "0");
  CHECK(keys.back() == "last");
}

}  // namespace
}  // namespace bloometry
