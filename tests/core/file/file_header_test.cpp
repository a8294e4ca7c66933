#include "core/file/file_header.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/hash/xxhash.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

FileHeader full_header() {
  return {.variant = "counting",
          .probes = "remix",
          .hash = "xxh3",
          .seed = 0x0123456789abcdef,
          .geometry = {.num_cells = 1'000, .cell_bits = 4, .num_hashes = 7, .max_fill = 0.5},
          .params = {{"counter_bits", 4.0},
                     {"saturation", "sticky"},
                     {"increments", std::vector<std::int64_t>{8, -12, 15}}},
          .num_refused_erases = 3,
          .num_skipped_decrements = 4,
          .notes = {.capacity = 100, .target_false_positive_rate = 0.01, .num_inserted = 99}};
}

FileHeader decoded(const std::string& bytes) {
  return decode_header(bytes);
}

std::string complaint(const std::string& bytes) {
  return message_of<ConfigError>([&] { static_cast<void>(decoded(bytes)); });
}

/// Returns the header with `text` at `offset` and a correct checksum.
std::string changed(std::string bytes, std::size_t offset, const std::string& text) {
  bytes.replace(offset, text.size(), text);
  bytes.replace(40, 8, 8, '\0');
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  return bytes.replace(40, 8, std::string(reinterpret_cast<const char*>(&hash), 8));
}

}  // namespace

TEST_CASE("file header: fields read back as they were written", "[file]") {
  const FileHeader header = full_header();
  const std::string bytes = encode_header(header, 640, 77);
  CHECK(bytes.size() % 64 == 0);
  const FilePreamble preamble = decode_preamble(bytes, bytes.size() + 640);
  CHECK(preamble.header_bytes == bytes.size());
  CHECK(preamble.payload_bytes == 640);
  CHECK(preamble.payload_hash == 77);
  const FileHeader read = decoded(bytes);
  CHECK(read.variant == header.variant);
  CHECK(read.probes == header.probes);
  CHECK(read.hash == header.hash);
  CHECK(read.seed == header.seed);
  CHECK(read.geometry == header.geometry);
  CHECK(read.params == header.params);
  CHECK(read.num_refused_erases == 3);
  CHECK(read.num_skipped_decrements == 4);
  CHECK(read.notes == header.notes);
  CHECK(encode_header(read, 640, 77) == bytes);
}

TEST_CASE("file header: the mark of an intersection is a field that older readers skip", "[file]") {
  FileHeader header = full_header();
  const std::string without = encode_header(header, 640, 77);
  CHECK(without.find("is_intersected") == std::string::npos);
  header.notes.is_intersected = true;
  const std::string with = encode_header(header, 640, 77);
  CHECK(decoded(with).notes == header.notes);
  CHECK(encode_header(decoded(with), 640, 77) == with);
  const std::size_t name = with.find("is_intersected");
  REQUIRE(name != std::string::npos);
  CHECK(with[name - 7] == 0);  // not needed, so that a reader that does not know the field skips it
  const std::size_t value = name + std::string_view("is_intersected").size();
  CHECK(complaint(changed(with, value, "\x02")) == "field 'is_intersected' must be 1, got 2");
  CHECK(complaint(changed(with, value, std::string(1, '\0'))) ==
        "field 'is_intersected' must be 1, got 0");
}

TEST_CASE("file header: stages and the id of a secret key are written and read back", "[file]") {
  const FileHeader header{.variant = "scalable",
                          .probes = "remix",
                          .hash = "siphash_2_4_128",
                          .key_id = 5,
                          .stages = {{100, 0.005, 8, 1'160, 100}, {200, 0.0025, 9, 2'601, 3}}};
  const FileHeader read = decoded(encode_header(header, 640, 77));
  CHECK(read.stages == header.stages);
  CHECK(read.key_id == 5U);
  CHECK_FALSE(read.seed);
}

TEST_CASE("file header: the counts of generations are written and read back", "[file]") {
  FileHeader header{
      .variant = "rotating",
      .probes = "remix",
      .geometry = {.num_cells = 1'000, .cell_bits = 1, .num_hashes = 7},
      .generations = GenerationCounts{
          .num_inserted = {3, 10, 0}, .num_rotations = 1, .num_ticks = 1, .num_overfull = 2}};
  const std::string bytes = encode_header(header, 640, 77);
  CHECK(decoded(bytes).generations == header.generations);
  // The list contains 3, 10 and 0, which are 24 bytes after the name.
  const std::size_t list = bytes.find("generations") + std::string_view("generations").size();
  CHECK(complaint(changed(bytes, list + 7, "\xff")) ==
        "field 'generations' must have no negative number, got -72057594037927933");
  const std::size_t name = bytes.find("num_rotations");
  REQUIRE(name != std::string::npos);
  CHECK(bytes[name - 7] == 1);  // needed: without it, the slots of the generations are unknown
  CHECK(complaint(changed(bytes, name - 7,
                          std::string(1, '\0') + bytes.substr(name - 6, 6) + "num_notations")) ==
        "field 'num_rotations' is missing");
  header.generations.reset();
  CHECK_FALSE(decoded(encode_header(header, 640, 77)).generations);
}

TEST_CASE("file header: bytes of version 1 are frozen", "[file]") {
  // core/file/README.md shows these header bytes.
  const std::string bytes =
      encode_header({.variant = "standard",
                     .probes = "remix",
                     .geometry = {.num_cells = 1'000, .cell_bits = 1, .num_hashes = 7}},
                    128, 0x1122334455667788);
  const std::string front(
      "\x89"
      "BLMY\r\n\x1a\x01\x00\x00\x00\x0d\x0c\x0b\x0a"
      "\xc0\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00"
      "\x88\x77\x66\x55\x44\x33\x22\x11",
      40);
  CHECK(bytes.substr(0, 40) == front);
  CHECK(bytes.substr(48, 16) == std::string("\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));
  const std::string fields(
      "\x03\x01\x07\x00\x08\x00\x00\x00variantstandard"
      "\x03\x01\x06\x00\x05\x00\x00\x00probesremix"
      "\x01\x01\x09\x00\x08\x00\x00\x00num_cells\xe8\x03\x00\x00\x00\x00\x00\x00"
      "\x01\x01\x09\x00\x08\x00\x00\x00"
      "cell_bits\x01\x00\x00\x00\x00\x00\x00\x00"
      "\x01\x01\x0a\x00\x08\x00\x00\x00num_hashes\x07\x00\x00\x00\x00\x00\x00\x00",
      23 + 19 + 25 + 25 + 26);
  CHECK(bytes.substr(64, fields.size()) == fields);
  CHECK(bytes.substr(64 + fields.size()).find_first_not_of('\0') == std::string::npos);
  CHECK(bytes.size() == 192);
}

TEST_CASE("file header: fields of a later minor version are skipped, unless they are needed",
          "[file]") {
  const std::string bytes = encode_header(full_header(), 640, 77);
  const std::size_t capacity = bytes.find("capacity");
  REQUIRE(capacity != std::string::npos);
  const std::string later = changed(bytes, capacity, "kapazity");
  CHECK_FALSE(decoded(later).notes.capacity);
  CHECK(decoded(later).variant == "counting");
  const std::string needed = changed(later, capacity - 7, std::string("\x01", 1));
  CHECK(complaint(needed) ==
        "field 'kapazity' is needed to read the filter, but only a newer version of bloometry "
        "supports it");
  CHECK(decode_preamble(changed(bytes, 10, "\x07"), bytes.size() + 640).payload_bytes == 640);
}

TEST_CASE("file header: another major version and other kinds of file are refused", "[file]") {
  const std::string bytes = encode_header(full_header(), 640, 77);
  const auto refused = [&](const std::string& other) {
    return message_of<ConfigError>(
        [&] { static_cast<void>(decode_preamble(other, bytes.size() + 640)); });
  };
  CHECK(refused(changed(bytes, 8, "\x02")) ==
        "its format must have major version 1, got 2: a newer version of bloometry wrote it, or it "
        "is damaged");
  CHECK(refused(changed(bytes, 8, std::string(1, '\0'))) ==
        "its format must have major version 1, got 0");
  CHECK(refused(changed(bytes, 0, "X")) == "its first bytes are not those of a filter file");
  CHECK(refused(changed(bytes, 12, "\x0a\x0b\x0c\x0d")) ==
        "its byte order mark must be 168496141, got 218893066");
  CHECK(refused(bytes.substr(0, 63)) == "it ends after 63 bytes, within its header");
  CHECK(refused(changed(bytes, 16, "\x41"))
            .find("its header must have a multiple of 64 bytes in [64, ") == 0);
  CHECK(refused(changed(bytes, 24, "\x41")) ==
        "its cells must have a positive multiple of 64 bytes, got 577");
}

TEST_CASE("file header: fields that contradict each other are refused", "[file]") {
  const auto of = [](auto change) {
    FileHeader header = full_header();
    change(header);
    return complaint(encode_header(header, 640, 77));
  };
  CHECK(of([](FileHeader&) {}) == "nothing thrown");
  CHECK(of([](FileHeader& h) { h.key_id = 3; }) == "it must not have both a seed and a key id");
  CHECK(of([](FileHeader& h) { h.hash.clear(); }) ==
        "it must name its hash, because it has a seed or a key id");
  const std::string bytes = encode_header(full_header(), 640, 77);
  const std::size_t probes = bytes.find("probes");
  CHECK(complaint(changed(bytes, probes, "Xrobes")).find("field 'Xrobes' is needed") == 0);
  const std::size_t refused = bytes.find("num_refused_erases");
  CHECK(complaint(changed(bytes, refused - 8, "\x03")) ==
        "field 'num_refused_erases' must have type 1, got 3");
  CHECK(complaint(changed(bytes, refused - 7, "\x04")) == "field 12 must have flags 0 or 1, got 4");
  CHECK(complaint(changed(bytes, refused - 4, "\xff\xff\xff\xff")) ==
        "field 12 ends after the end of the header");
  CHECK(complaint(changed(bytes, 48, "\xff\xff\xff\xff")) ==
        "it must have at most 4096 fields, got 4294967295");
  CHECK(complaint(changed(bytes, bytes.size() - 1, "x")) ==
        "its header must have only bytes of 0 after its fields, got 120");
  CHECK(complaint(bytes.substr(0, bytes.size() - 1) + "x") ==
        "its header is damaged: the checksum differs");
}

TEST_CASE("file header: a repeated field is refused", "[file]") {
  const std::string bytes = encode_header({.variant = "a",
                                           .probes = "b",
                                           .geometry = {.num_cells = 1},
                                           .params = {{"aaaa", 1.0}, {"bbbb", 2.0}}},
                                          64, 0);
  const std::size_t second = bytes.find("param.bbbb");
  REQUIRE(second != std::string::npos);
  CHECK(complaint(changed(bytes, second, "param.aaaa")) == "field 'param.aaaa' occurs twice");
}

TEST_CASE("file header: a target rate other than the filter's is refused", "[file]") {
  const FileNotes own{.target_false_positive_rate = 0.01};
  CHECK(with_notes(own, {}).target_false_positive_rate == 0.01);
  CHECK(message_of<ConfigError>(
            [&] { static_cast<void>(with_notes(own, {.target_false_positive_rate = 0.02})); }) ==
        "target_false_positive_rate must be the rate of the filter, 0.01, or be left out, "
        "got 0.02");
}
