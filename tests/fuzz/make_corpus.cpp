// Writes the committed seeds of the fuzzers: make_corpus FOLDER. README.md describes the seeds.
// The program keeps other files in FOLDER, which are inputs found by the fuzzers.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/filter_image.hpp"
#include "core/file/stored_file.hpp"
#include "core/hash/little_endian.hpp"
#include "tests/core/file/all_filters.hpp"
#include "tests/experiments/filter_files/parquet_files.hpp"
#include "tests/experiments/keys/encoded_text.hpp"
#include "tests/support/base64.hpp"
#include "tests/support/interop_vectors.hpp"
#include "variants/foreign/big_endian/big_endian.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry::fuzz {
namespace {

namespace fs = std::filesystem;
using test::bytes_of_base64;
using test::bytes_of_hex;
using test::interop_vectors;

/// Maximum size of a fuzzer's input.
constexpr std::size_t kMostBytes = 4096;

/// Writes seeds of one target into the folder with the target's name.
class Seeds {
 public:
  Seeds(const fs::path& corpus, const std::string& target) : folder_(corpus / target) {
    fs::create_directories(folder_);
  }

  void add(const std::string& name, std::string_view bytes) const {
    if (bytes.size() > kMostBytes) return;
    std::ofstream file(folder_ / name, std::ios::binary);
    file << bytes;
    file.exceptions(std::ios::badbit | std::ios::failbit);
    file.flush();
  }

  [[nodiscard]] fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

template <class Filter>
Filter with_keys(Filter filter, int num_keys) {
  for (int i = 0; i < num_keys; ++i) filter.insert("item-" + std::to_string(i));
  return filter;
}

/// Returns the name of the seed with the spec. Specs that differ only in parameters without effect
/// on the layout have one name.
std::string seed_name(const test::NamedSpec& named) {
  std::string name = named.variant + "_" + named.probes;
  if (named.variant == "scalable") {
    const char* const kind = named.spec.params.contains("stages") ? "stages" : "error_schedule";
    name += "_" + std::get<std::string>(named.spec.params.at(kind));
  }
  if (named.spec.params.contains("semi_sorting")) name += "_semi_sorted";
  const auto generation = named.spec.params.find("generation");
  if (generation != named.spec.params.end()) {
    name += "_" + std::get<std::string>(generation->second);
  }
  return name;
}

/// Writes a small filter file for each combination of variant, scheme and layout. Files with the
/// scheme remix also contain hash, seed and notes.
void write_bloometry(const fs::path& corpus) {
  const Seeds seeds(corpus, "bloometry");
  std::vector<std::string> seen;
  for (const test::NamedSpec& named : test::all_specs()) {
    const std::string name = seed_name(named);
    if (named.variant != "scalable" && std::ranges::find(seen, name) != seen.end()) continue;
    seen.push_back(name);
    FilterSpec spec = named.spec;
    if (spec.num_blocks) spec.num_blocks = 2;
    if (spec.num_bits) spec.num_bits = 203;
    if (spec.num_counters) spec.num_counters = 53;
    if (spec.capacity) spec.capacity = 10;
    AnyFilter filter = make_filter(named.variant, named.probes, spec);
    filter.insert(test::digests(0, 15));
    FilterImage image = filter.image();
    if (named.probes == "remix") {
      image.header.hash = "xxh3";
      image.header.seed = 7;
      image.header.notes = with_notes(image.header.notes, {.capacity = 20, .num_inserted = 15});
    }
    write_filter_file(seeds.path(name), image.header, image.stores);
  }
  seeds.add("refused_empty", "");
  seeds.add("refused_magic",
            "\x89"
            "BLMY\r\n\x1a");
}

void write_guava(const fs::path& corpus) {
  const Seeds seeds(corpus, "guava");
  int number = 0;
  for (const auto& vector : interop_vectors().at("guava").at("filters")) {
    if (!vector.contains("serialized_hex")) continue;
    seeds.add("vector_" + std::to_string(number++), bytes_of_hex(vector.at("serialized_hex")));
  }
  const GuavaFilter small = with_keys(GuavaFilter(64, 1, GuavaStrategy::kMurmur128Mitz32), 3);
  seeds.add("one_long", small.serialize());
  seeds.add("refused_cut", small.serialize().substr(0, 13));
}

void write_go(const fs::path& corpus) {
  const Seeds binary(corpus, "go_binary");
  const Seeds json(corpus, "go_json");
  const auto add = [&](const std::string& name, const GoBitsAndBloomsFilter& filter) {
    binary.add(name, filter.serialize());
    json.add(name, filter.serialize_json());
  };
  for (const std::uint64_t num_bits : {1, 64, 65, 1000}) {
    add("bits_" + std::to_string(num_bits),
        with_keys(GoBitsAndBloomsFilter(num_bits, 1 + static_cast<unsigned>(num_bits % 7)), 3));
  }
  int number = 0;
  for (const auto& vector : interop_vectors().at("go_bits_and_blooms").at("filters")) {
    const std::string name = "vector_" + std::to_string(number++);
    if (vector.contains("serialized_hex"))
      binary.add(name, bytes_of_hex(vector.at("serialized_hex")));
    if (vector.contains("json")) json.add(name, vector.at("json").get<std::string>());
  }
  binary.add("refused_cut", GoBitsAndBloomsFilter(64, 1).serialize().substr(0, 31));
  json.add("spaced", R"( { "k" : 1 , "b" : "AAAAAAAAAEAAAAAAAAACAA==" , "m" : 64 } )");
  json.add("refused_field", R"({"m":64,"k":1,"n":3,"b":"AAAAAAAAAEAAAAAAAAACAA=="})");
}

std::string packed(const std::vector<RedisBloomChunk>& chunks) {
  std::string bytes;
  for (const RedisBloomChunk& chunk : chunks) {
    append_little_endian(bytes, static_cast<std::uint64_t>(chunk.iterator));
    append_little_endian(bytes, static_cast<std::uint16_t>(chunk.data.size()));
    bytes += chunk.data;
  }
  return bytes;
}

void write_redisbloom(const fs::path& corpus) {
  const Seeds whole(corpus, "redisbloom");
  const Seeds in_chunks(corpus, "redisbloom_chunks");
  const auto add = [&](const std::string& name, const RedisBloomFilter& filter) {
    whole.add(name, filter.serialize());
    std::vector<RedisBloomChunk> chunks;
    for (RedisBloomChunk next = filter.scan_dump(0, 32); next.iterator != 0;
         next = filter.scan_dump(chunks.back().iterator, 32)) {
      chunks.push_back(next);
    }
    in_chunks.add(name, packed(chunks));
  };
  add("chain", with_keys(RedisBloomFilter::for_capacity(4, 0.1), 30));
  add("power_of_two",
      with_keys(RedisBloomFilter::for_capacity(5, 0.01, {.sizing = RedisBloomSizing::kPowerOfTwo}),
                20));
  add("less_than_a_word",
      with_keys(RedisBloomFilter::for_capacity(2, 0.2, {.sizing = RedisBloomSizing::kPowerOfTwo}),
                2));
  add("fixed",
      with_keys(RedisBloomFilter::for_capacity(20, 0.05, {.expansion = 0, .is_scaling = false}),
                9));
  for (const auto& vector : interop_vectors().at("redisbloom").at("filters")) {
    std::vector<RedisBloomChunk> chunks = {{1, bytes_of_hex(vector.at("header_hex"))}};
    std::string bytes = chunks[0].data;
    for (const auto& chunk : vector.at("chunks")) {
      chunks.push_back({chunk.at("iter").get<std::int64_t>(), bytes_of_hex(chunk.at("data_hex"))});
      bytes += chunks.back().data;
    }
    const std::string name = "vector_" + vector.at("name").get<std::string>();
    whole.add(name, bytes);
    in_chunks.add(name, packed(chunks));
  }
  const std::string small = RedisBloomFilter::for_capacity(4, 0.1).serialize();
  whole.add("refused_cut", small.substr(0, small.size() - 1));
  in_chunks.add("refused_header_only", packed({{1, small.substr(0, 73)}}));
}

/// Returns the scheme, the number of hashes and the number of bits, in the format that
/// redis_bitmap_target.cpp reads.
std::string redis_front(RedisScheme scheme, const RedisSizes& sizes) {
  std::string bytes(1, static_cast<char>(scheme));
  append_little_endian(bytes, static_cast<std::uint16_t>(sizes.num_hashes));
  append_little_endian(bytes, static_cast<std::uint32_t>(sizes.num_bits));
  return bytes;
}

void write_redis_bitmap(const fs::path& corpus) {
  const Seeds seeds(corpus, "redis_bitmap");
  for (const RedisScheme scheme : kRedisSchemes) {
    const RedisSizes sizes =
        scheme == RedisScheme::kPhp3 ? RedisSizes{8192, 3} : RedisSizes{203, 5};
    const RedisBitmapFilter filter = with_keys(RedisBitmapFilter(scheme, sizes), 9);
    const std::string front = redis_front(scheme, sizes);
    const std::string string = filter.serialize();
    const std::string name(name_of(scheme));
    seeds.add(name, front + string);
    seeds.add(name + "_short", front + string.substr(0, 9));
    seeds.add("refused_" + name + "_long", front + string + "\1");
  }
  const auto& jedis = interop_vectors().at("java_redis_double_hashing");
  seeds.add("vector_jedis", redis_front(RedisScheme::kJedis, {21895, 5}) +
                                bytes_of_base64(jedis.at("bitmap_base64").get<std::string>()));
}

/// Returns the number of hashes and the number of bits, in the format that go_bitset_target.cpp
/// reads.
std::string go_bitset_front(const RedisSizes& sizes) {
  return redis_front(RedisScheme::kGoSeeded, sizes).substr(1);
}

void write_go_bitset(const fs::path& corpus) {
  const Seeds seeds(corpus, "go_bitset");
  for (const std::uint64_t num_bits : {1, 64, 203}) {
    const RedisSizes sizes{num_bits, 5};
    const RedisBitmapFilter filter = with_keys(RedisBitmapFilter(RedisScheme::kGoSeeded, sizes), 9);
    std::string bytes;
    append_big_endian(bytes, num_bits);
    append_big_endian_words(bytes, filter.bits().words());
    const std::string name = "bits_" + std::to_string(num_bits);
    seeds.add(name, go_bitset_front(sizes) + bytes);
    seeds.add("refused_cut_" + name, go_bitset_front(sizes) + bytes.substr(0, bytes.size() - 1));
    seeds.add("refused_length_" + name, go_bitset_front({num_bits + 1, 5}) + bytes);
  }
  std::string beyond;
  append_big_endian(beyond, std::uint64_t{3});
  append_big_endian(beyond, std::uint64_t{8});
  seeds.add("refused_unused_bit", go_bitset_front({3, 1}) + beyond);
}

void write_parquet_footer(const fs::path& corpus) {
  const Seeds seeds(corpus, "parquet_footer");
  const std::string file = test::parquet_file_with_filters();
  seeds.add("with_filters", file);
  seeds.add("without_filters", test::parquet_file_without_filters());
  // The path a.b and an offset of 4. The header of the filter states its length.
  const std::string footer = test::footer_of("\x39\x28\1a\1b\6\x1c\x8");
  seeds.add("without_length", test::file_of(ParquetSbbfFilter(1).serialize(), footer));
  seeds.add("length_overflow",
            test::file_of(std::string("\x15\xfe") + std::string(8, '\xff') + '\1' + '\0', footer));
  seeds.add("refused_cut", file.substr(0, file.size() - 1));
  seeds.add("refused_start", file.substr(file.size() - 50));
}

/// Text in UTF-8 and as characters: of one to four bytes in UTF-8, and of two units in UTF-16.
constexpr std::string_view kText = "caf\xc3\xa9\r\n\xe2\x82\xac\n\xf0\x9f\x98\x80\n";
constexpr std::u32string_view kCharacters = U"caf\u00e9\r\n\u20ac\n\U0001f600\n";

void write_key_text(const fs::path& corpus) {
  const Seeds seeds(corpus, "key_text");
  seeds.add("utf8", std::string(1, '\0').append(kText));
  seeds.add("refused_utf8", std::string(1, '\0') + "caf\xc3\n");
  for (std::size_t i = 0; i < test::kWide.size(); ++i) {
    const std::string name(name_of(test::kWide[i]));
    const std::string front(1, static_cast<char>(1 + i));
    const std::string text = test::encoded(test::kWide[i], kCharacters);
    seeds.add(name, front + text);
    seeds.add("refused_" + name + "_cut", front + text.substr(0, text.size() - 1));
    seeds.add("refused_" + name + "_surrogate", front + test::encoded(test::kWide[i], U"\xd800"));
  }
}

// 60 lines `key 0 of the seed` to `key 59 of the seed`: Python's gzip.compress(lines, mtime=0), and
// libzstd 1.5.4 with a checksum. The bytes are constant, because other versions compress otherwise.
constexpr std::string_view kGzip =
    "H4sIAAAAAAACA23TO05DQRBFwZxVzBLon43342chvYDAJOzepFZNeqJS6/Z5/K3P9fNYv9/Heh7H/eP8L0FJSlGaMpQL5U"
    "r5otwUbtCqQ3boDuGhPKSH9hAf6lN9bm6uPtWn+lSf6lN9qk/1pb7U12Yy6kt9qS/1pb7Ul/pW3+pbfW8Wr77Vt/pW3+pb"
    "/agf9aN+1M/mYdWP+lE/6udd/wLzCKkragQAAA==";
constexpr std::string_view kZstd =
    "KLUv/WRqA/UEAAIFDhKwqQM/ZKLLdJJFaySlFMsxyMX///+/bdu23bZt25IkSZLbtm0riEG4y9EpAxhVChWy0JFQQKdMOy"
    "Cwo9IBsnjnMZ5457GeeOcxnnjnMU945zFPeucxT3jnMU+84zFPvOsxT7zjMU+88xhPvPNYT7zzGD0JxjsgHvvNE1+96+Ex"
    "3jzZ1TsdHufmGS5hZplvZmaZb2az8Pmu2TYBfFkZ1Q==";

void write_keys(const fs::path& corpus) {
  const Seeds seeds(corpus, "keys");
  // The format (lines, csv:1, hex, u64le) and the encoding (auto, bytes, utf-8, then kWide).
  const auto add = [&](const std::string& name, char format, char encoding,
                       std::string_view bytes) {
    seeds.add(name, std::string{format, encoding}.append(bytes));
  };
  const std::string gzip = bytes_of_base64(kGzip);
  const std::string zstd = bytes_of_base64(kZstd);
  add("lines", 0, 0, kText);
  add("csv", 1, 0, kText);
  add("hex", 2, 0, "00ff\n");
  add("integers", 3, 0, std::string(16, '\1'));
  add("mark", 0, 0, std::string("\xef\xbb\xbf").append(kText));
  add("binary", 0, 0, std::string(9, '\1'));
  add("gzip", 0, 0, gzip);
  add("zstd", 0, 0, zstd);
  add("members", 0, 1, gzip + gzip);
  add("frames", 0, 2, zstd + zstd);
  add("refused_cut_gzip", 0, 0, gzip.substr(0, gzip.size() - 1));
  add("refused_cut_zstd", 0, 0, zstd.substr(0, zstd.size() - 1));
  add("refused_after_gzip", 0, 0, gzip + "x");
  add("refused_utf8", 0, 2, "caf\xe9\n");
  for (std::size_t i = 0; i < test::kWide.size(); ++i) {
    const std::string name(name_of(test::kWide[i]));
    const std::string text = test::encoded(test::kWide[i], kCharacters);
    const std::string marked = test::encoded(test::kWide[i], U"\ufeff") + text;
    add(name, 0, static_cast<char>(3 + i), text);
    add(name + "_mark", 0, 0, marked);
    add("refused_" + name + "_mark", 0, 2, marked);
  }
}

void write_parquet_sbbf(const fs::path& corpus) {
  const Seeds seeds(corpus, "parquet_sbbf");
  for (const std::uint64_t num_blocks : {1, 2, 3, 64}) {
    seeds.add("blocks_" + std::to_string(num_blocks),
              with_keys(ParquetSbbfFilter(num_blocks), 20).serialize());
  }
  int number = 0;
  for (const auto& vector : interop_vectors().at("parquet_sbbf").at("filters")) {
    const std::string name = "vector_" + std::to_string(number++);
    if (vector.contains("serialized_hex")) {
      seeds.add(name, bytes_of_hex(vector.at("serialized_hex")));
    } else if (vector.contains("serialized_base64")) {
      seeds.add(name, bytes_of_base64(vector.at("serialized_base64").get<std::string>()));
    }
  }
  seeds.add("refused_cut", ParquetSbbfFilter(1).serialize().substr(0, 46));
}

void write_dcso(const fs::path& corpus) {
  const Seeds seeds(corpus, "dcso");
  DcsoFilter filter = with_keys(DcsoFilter::for_capacity(30, 0.02), 12);
  seeds.add("bits", filter.serialize());
  filter.set_data(R"({"of":"tests"})");
  seeds.add("data", filter.serialize());
  seeds.add(
      "whole_words",
      with_keys(DcsoFilter(DcsoFilter::Parameters{
                    .capacity = 9, .false_positive_rate = 0.5, .num_hashes = 1, .num_bits = 128}),
                4)
          .serialize());
  seeds.add("vector", bytes_of_hex(interop_vectors().at("dcso_bloom_v1").at("file_hex")));
  seeds.add("refused_gzip", "\x1f\x8b\x08");
  seeds.add("refused_cut", filter.serialize().substr(0, 50));
}

}  // namespace
}  // namespace bloometry::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_corpus FOLDER\n", stderr);
    return 2;
  }
  try {
    using namespace bloometry::fuzz;
    const std::filesystem::path corpus = argv[1];
    write_bloometry(corpus);
    write_guava(corpus);
    write_go(corpus);
    write_redisbloom(corpus);
    write_redis_bitmap(corpus);
    write_go_bitset(corpus);
    write_parquet_footer(corpus);
    write_key_text(corpus);
    write_keys(corpus);
    write_parquet_sbbf(corpus);
    write_dcso(corpus);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
  }
  return 0;
}
