#include "variants/split_block/split_block_filter.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "tests/support/base64.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/interop_vectors.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {
namespace {

using ParquetFilter = Keyed<SplitBlockFilter, Xxh64Hasher>;

std::string bytes_of(const SplitBlockFilter& filter) {
  const auto words = filter.bits().words();
  std::string bytes(words.size() * sizeof words[0], '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// Returns the bitset of a file that another program wrote, without the file's header.
std::string bitset_of(const nlohmann::json& filter) {
  if (filter.contains("bitset_hex")) return test::bytes_of_hex(filter.at("bitset_hex"));
  const std::string file = test::bytes_of_base64(filter.at("serialized_base64").get<std::string>());
  const std::size_t num_header_bytes = filter.at("header_hex").get<std::string>().size() / 2;
  return file.substr(num_header_bytes);
}

std::vector<std::string> keys_of(const nlohmann::json& filter) {
  if (filter.contains("keys_ascii")) return filter.at("keys_ascii").get<std::vector<std::string>>();
  std::vector<std::string> keys;
  for (const auto& [name, bytes] : test::interop_keys()) keys.push_back(bytes);
  return keys;
}

FilterSpec split_blocks(std::uint64_t num_blocks) {
  return {.num_blocks = num_blocks};
}

}  // namespace

// tests/golden/interop_vectors.json, section parquet_sbbf.
TEST_CASE("split_block: block and bits of every key equal Parquet's", "[variants][split_block]") {
  const auto& rows = test::interop_vectors().at("parquet_sbbf").at("rows");
  CHECK(rows.size() == 23);
  for (const auto& row : rows) {
    const auto name = row.at("key").get<std::string>();
    CAPTURE(name);
    const Digest digest = Xxh64Hasher(0)(test::interop_keys().at(name));
    CHECK(digest.lo == test::word_of_hex(row.at("xxh64_hex")));
    CHECK(block::split_block_of(digest.lo, 32) == row.at("block_z32").get<std::uint64_t>());
    ParquetSaltProbes probes(digest, 256);
    const auto bits = row.at("bit_per_word").get<std::vector<std::uint64_t>>();
    for (std::uint64_t lane = 0; lane < 8; ++lane)
      CHECK(probes.next(256) == 32 * lane + bits[lane]);
  }
}

TEST_CASE("split_block: the bytes of a filter are a Parquet bitset", "[variants][split_block]") {
  const auto& filters = test::interop_vectors().at("parquet_sbbf").at("filters");
  CHECK(filters.size() == 4);  // a published file, and files with z = 1, 3 and 32
  for (const auto& vector : filters) {
    CAPTURE(vector.at("name").get<std::string>());
    ParquetFilter filter(split_blocks(vector.at("blocks").get<std::uint64_t>()));
    for (const std::string& key : keys_of(vector)) filter.insert(key);
    CHECK(filter.filter().num_bits() == 8 * vector.at("num_bytes").get<std::uint64_t>());
    CHECK(bytes_of(filter.filter()) == bitset_of(vector));
    for (const std::string& key : keys_of(vector)) CHECK(filter.contains(key));
  }
}

TEST_CASE("split_block: accepts 1 to 2^31 - 1 blocks and eight hashes only",
          "[variants][split_block]") {
  const auto num_blocks = [](const FilterSpec& spec) {
    return SplitBlockFilter::geometry(spec).num_blocks();
  };
  CHECK(num_blocks(split_blocks(1)) == 1);
  CHECK(num_blocks(split_blocks((std::uint64_t{1} << 31U) - 1)) == (std::uint64_t{1} << 31U) - 1);
  CHECK_THROWS_WITH(num_blocks(split_blocks(std::uint64_t{1} << 31U)),
                    "num_blocks must be in [1, 2147483647], got 2147483648");
  CHECK_THROWS_AS(num_blocks(split_blocks(0)), ConfigError);
  CHECK(num_blocks({.num_bits = 257}) == 2);
  CHECK(num_blocks({.capacity = 100, .bits_per_key = 10.0}) == 4);
  CHECK(num_blocks({.num_bits = 256, .num_hashes = 8}) == 1);
  CHECK_THROWS_WITH(num_blocks({.num_bits = 256, .num_hashes = 7}), "num_hashes must be 8, got 7");
  CHECK_THROWS_AS(SplitBlockFilter(Geometry{256, 1, 7, 256}), ConfigError);
  CHECK_THROWS_AS(SplitBlockFilter(Geometry{384, 1, 8, 256}), ConfigError);
}

TEST_CASE("split_block: digest.hi is unused", "[variants][split_block]") {
  SplitBlockFilter filter(split_blocks(1000));
  filter.insert({0x0123456789abcdef, 1});
  CHECK(filter.contains({0x0123456789abcdef, 2}));
}

TEST_CASE("split_block: the rate given the state is the mean over blocks of lane products",
          "[variants][split_block]") {
  // If all bits of a key's high half are set, the key is in block 1. All other keys are in block 0.
  // The low halves 0 and 1 differ in at least 5 lanes.
  SplitBlockFilter filter(split_blocks(2));
  filter.insert({0, 0});
  CHECK(filter.state().conditional_false_positive_rate == std::pow(1.0 / 32, 8) / 2);
  filter.insert({0x7654321, 0});
  filter.insert({0xffffffff00000000, 0});
  double product = 1;
  std::uint64_t ones = 8;
  ParquetSaltProbes first({0, 0}, 256);
  ParquetSaltProbes second({0x7654321, 0}, 256);
  for (int lane = 0; lane < 8; ++lane) {
    const unsigned set = first.next(256) == second.next(256) ? 1 : 2;
    product *= set;
    ones += set;
  }
  CHECK(filter.state().num_ones == ones);
  CHECK(product > 1);
  CHECK(filter.state().conditional_false_positive_rate == (product + 1) / 0x1p40 / 2);
}

TEST_CASE("split_block: fold merges neighbouring blocks", "[variants][split_block]") {
  const auto keys = test::member_digests(300);
  SplitBlockFilter large(split_blocks(12));
  for (const Digest& key : keys) large.insert(key);
  for (const std::uint64_t d : {1, 2, 3, 4, 6, 12}) {
    SplitBlockFilter small(split_blocks(12 / d));
    for (const Digest& key : keys) small.insert(key);
    CAPTURE(d);
    CHECK(large.fold(d) == small);
  }
  CHECK_THROWS_WITH(large.fold(5), "fold divisor must divide num_blocks 12, got 5");
}

TEST_CASE("split_block: a filter for a rate has the fewest blocks that keep it",
          "[variants][split_block]") {
  for (const std::uint64_t n : {1, 2, 50, 3000, 1'000'000}) {
    for (const double p : {0.5, 0.01, 1e-5}) {
      const Geometry geometry =
          SplitBlockFilter::geometry({.capacity = n, .target_false_positive_rate = p});
      const std::uint64_t z = geometry.num_blocks();
      CAPTURE(n, p, z);
      CHECK(geometry.num_hashes == 8);
      CHECK(theory::split_block_rate(n, z) <= p);
      if (z > 1) CHECK(theory::split_block_rate(n, z - 1) > p);
    }
  }
}

}  // namespace bloometry
