#include "experiments/filter_files/other_format.hpp"

#include <bit>
#include <string>

#include "core/hash/little_endian.hpp"
#include "tests/experiments/filter_files/parquet_files.hpp"
#include "tests/support/base64.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using namespace std::string_literals;

/// Returns the name of the format of the bytes, or an empty text.
std::string name_of_format(std::string_view bytes) {
  const auto format = other_format_of(bytes);
  return format ? format->name : "";
}

/// Returns the name of the format of the bytes in base64.
std::string name_of_base64(std::string_view text) {
  return name_of_format(test::bytes_of_base64(text));
}

/// A reply of Redis 7.0.15 to DUMP of a bitmap with the bits 10 and 61.
constexpr std::string_view kRedisDump = "AAgAIAAAAAAABAoAfhXMkSyRuMU=";

/// Returns a dump by RedisBloom 1.1.1 of a filter for 10 keys at rate 0.01 that contains `a` and
/// `hello`. The functions of its src/sb.c wrote the header and the chunk.
std::string old_redisbloom_dump() {
  return test::bytes_of_base64(
      "AgAAAAAAAAABAAAABAAAABAAAAAAAAAAAAAAAAAAAAACAAAAAAAAAHsUrkfheoQ/iBaKxYwrI0AHAAAA"
      "DQAAAAcgBAAKABIAIABgAIACAAMA");
}

/// Returns the header that pybloom_live's BloomFilter.tofile writes by struct.pack("<dQQQQ").
std::string pybloom_header(double rate, std::uint64_t num_slices, std::uint64_t bits_per_slice) {
  std::string bytes;
  append_little_endian(bytes, std::bit_cast<std::uint64_t>(rate));
  append_little_endian(bytes, num_slices);
  append_little_endian(bytes, bits_per_slice);
  append_little_endian(bytes, std::uint64_t{10});  // capacity
  append_little_endian(bytes, std::uint64_t{2});   // count
  return bytes;
}

}  // namespace

TEST_CASE("other formats: files of other programs are recognised", "[filters]") {
  // JDK 17: ObjectOutputStream.writeObject(BitSet).
  CHECK(name_of_base64(
            "rO0ABXNyABBqYXZhLnV0aWwuQml0U2V0bv2Ifjk0qyEDAAFbAARiaXRzdAACW0p4cHVyAAJbSnggBLUS"
            "sXWTAgAAeHAAAAABIAAAAAAAAAh4") == "an object of Java's ObjectOutputStream");
  CHECK(name_of_format(test::parquet_file_with_filters()) == "a whole Parquet file");
  CHECK(name_of_format("PARE") == "a Parquet file with encrypted metadata");
  // Redis 7.0.15: the file of SAVE with the bitmap of kRedisDump.
  CHECK(name_of_base64(
            "UkVESVMwMDEw+glyZWRpcy12ZXIGNy4wLjE1+gpyZWRpcy1iaXRzwED6BWN0aW1lwhopCmv6CHVzZWQt"
            "bWVtwgi1DgD6CGFvZi1iYXNlwAD+APsBAAAEYml0cwgAIAAAAAAABP9Po6UlgsiG0A==") ==
        "an RDB file of Redis");
  CHECK(name_of_base64(kRedisDump) == "a value that Redis wrote by DUMP");
  CHECK(name_of_format(old_redisbloom_dump()) == "a dump of RedisBloom 2.2.0 or older");
  // Python 3.11: pickle.dumps({'m': 64, 'bits': bytes(8)}, protocol) for protocols 2 to 5.
  for (const char* const pickle : {"gAJ9cQAoWAEAAABtcQFLQFgEAAAAYml0c3ECY19jb2RlY3MKZW5jb2RlCnEDWAg"
                                   "AAAAAAAAAAAAAAHEEWAYAAABsYXRpbjFxBYZxBlJxB3Uu",
                                   "gAN9cQAoWAEAAABtcQFLQFgEAAAAYml0c3ECQwgAAAAAAAAAAHEDdS4=",
                                   "gASVHQAAAAAAAAB9lCiMAW2US0CMBGJpdHOUQwgAAAAAAAAAAJR1Lg==",
                                   "gAWVHQAAAAAAAAB9lCiMAW2US0CMBGJpdHOUQwgAAAAAAAAAAJR1Lg=="}) {
    CHECK(name_of_base64(pickle) == "a pickle of Python");
  }
  // The file formats NPY 1.0 and 2.0 of NumPy.
  CHECK(name_of_format("\x93NUMPY\1\0v\0{'descr': '|u1'"s) == "an array of NumPy");
  CHECK(name_of_format("\x93NUMPY\2\0v\0\0\0{'descr': '|u1'"s) == "an array of NumPy");
  // Python 3.11: zipfile, lzma, bz2, sqlite3 and tarfile; lz4 1.9.4.
  CHECK(name_of_base64("UEsDBBQAAAAAAIcIfF35775xAQAAAAEAAAABAAAAYWJQSwECFAMUAAAAAACHCHxd+e++"
                       "cQEAAAABAAAAAQAAAAAAAAAAAAAAgAEAAAAAYVBLBQYAAAAAAQABAC8AAAAgAAAAAAA=") ==
        "a ZIP archive");
  CHECK(name_of_base64(
            "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQADYml0cwB4HYOMRpDWbAABHARvLJzBH7bzfQEAAAAABFla") ==
        "xz data");
  CHECK(name_of_base64("QlpoOTFBWSZTWSRffogAAAABgBAgDAAgACGaaDNNMLxdyRThQkCRffog") == "bzip2 data");
  CHECK(name_of_base64("BCJNGGRApwUAAIBiaXRzCgAAAACN8shr") == "LZ4 data");
  CHECK(name_of_format("SQLite format 3\0\x10\0\1\1"s) == "a database of SQLite");
  CHECK(name_of_format("x.xz"s + std::string(253, '\0') +
                       "ustar\0"
                       "00"s) == "a tar archive");
  CHECK(name_of_format("7z\xbc\xaf\x27\x1c\0\4"s) == "a 7z archive");
}

TEST_CASE("other formats: the advice states how to get a filter", "[filters]") {
  const auto parquet = other_format_of(test::parquet_file_with_filters());
  CHECK(parquet->advice ==
        "copy one of its 2 Bloom filters to a file, e.g. that of column name by `tail -c +215 "
        "PARQUET | head -c 47 > FILTER`");
  CHECK(parquet->next_format == "parquet_sbbf");
  const auto without = other_format_of(test::parquet_file_without_filters());
  CHECK(without->advice.starts_with("it does not contain Bloom filters; build a filter"));
  CHECK(without->next_format.empty());
  // open_filter gives only the beginning of a large file.
  const auto start = other_format_of(test::parquet_file_with_filters().substr(0, 100));
  CHECK(start->advice.find("bloom_filter_offset") != std::string::npos);
  CHECK(other_format_of(old_redisbloom_dump())->next_format == "redisbloom");
}

TEST_CASE("other formats: the sizes of a dump of RedisBloom must be consistent", "[filters]") {
  const std::string dump = old_redisbloom_dump();
  CHECK(name_of_format(dump.substr(0, 65)) == "a dump of RedisBloom 2.2.0 or older");  // header
  CHECK(name_of_format(dump + '\0').empty());
  CHECK(name_of_format(dump.substr(0, 64)).empty());
  for (const std::size_t at : {0U, 8U, 13U, 32U, 47U}) {  // items, links, options, items, error
    std::string other = dump;
    other[at] = '\x7f';
    CAPTURE(at);
    CHECK(name_of_format(other).empty());
  }
  // Version 2.2.0 added the expansion to the header of the chain.
  CHECK(name_of_format(std::string(dump).insert(16, "\2\0\0\0"s)) ==
        "a dump of RedisBloom 2.2.0 or older");
}

TEST_CASE("other formats: the sizes of a file of pybloom must be consistent", "[filters]") {
  const std::string bits(9, '\1');  // 7 slices of 10 bits
  CHECK(name_of_format(pybloom_header(0.01, 7, 10) + bits) == "a file of Python's pybloom");
  CHECK(name_of_format(pybloom_header(0.01, 7, 10) + bits + '\0').empty());
  CHECK(name_of_format(pybloom_header(0.01, 8, 9) + bits).empty());
  CHECK(name_of_format(pybloom_header(1, 0, 10)).empty());
  CHECK(name_of_format(pybloom_header(0.01, 7, std::uint64_t{1} << 63U) + bits).empty());
}

TEST_CASE("other formats: a value of DUMP must have its checksum", "[filters]") {
  std::string dump = test::bytes_of_base64(kRedisDump);
  CHECK(name_of_format(dump + '\n') == "a value that Redis wrote by DUMP");
  CHECK(name_of_format(dump + '\r').empty());
  dump[3] = '\x40';
  CHECK(name_of_format(dump).empty());
}

TEST_CASE("other formats: text is a config, JSON or other text", "[filters]") {
  CHECK(text_format_of("{\n  \"grids\": []}")->name == "a config of a sweep");
  CHECK(text_format_of(" {\"m\": 64, \"bits\": \"0a\"}")->name == "JSON text");
  CHECK(text_format_of("one\ntwo\r\n")->name == "text");
  CHECK_FALSE(text_format_of("one\0\n"s));
  CHECK_FALSE(text_format_of("word"));
  CHECK_FALSE(text_format_of(""));
}

TEST_CASE("other formats: unknown bytes are not recognised", "[filters]") {
  CHECK(name_of_format("").empty());
  CHECK(name_of_format(std::string(1000, '\0')).empty());
  CHECK(name_of_format("\x80\6.."s).empty());
  CHECK_FALSE(other_format_of("\x80\4.."s)->is_certain);
}

}  // namespace bloometry
