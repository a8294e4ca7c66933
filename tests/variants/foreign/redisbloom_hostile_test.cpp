#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/foreign/redisbloom_scan.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {
namespace {

RedisBloomFilter empty_redisbloom() {
  return RedisBloomFilter::for_capacity(10, 0.01);
}

RedisBloomFilter grown_filter() {
  return test::with_items(empty_redisbloom(), 75);
}

RedisBloomFilter full_filter() {
  return test::with_items(RedisBloomFilter::for_capacity(5, 0.05, {.is_scaling = false}), 8);
}

/// Returns the dump of the filter with the header field at `offset` set to `value`.
template <class Word>
std::string with_field(const RedisBloomFilter& filter, std::size_t offset, Word value) {
  std::string bytes = filter.serialize();
  std::string field;
  append_little_endian(field, value);
  return bytes.replace(offset, field.size(), field);
}

std::string redisbloom_error(const std::string& bytes) {
  return test::message_of<ConfigError>([&] { (void)RedisBloomFilter::parse(bytes); });
}

std::string load_error(const std::vector<RedisBloomChunk>& chunks) {
  return test::message_of<ConfigError>([&] { (void)RedisBloomFilter::load(chunks); });
}

constexpr std::size_t kLink0 = 20;  ///< offset of the first link's fields

}  // namespace

TEST_CASE("redisbloom: a link with more items than set bits is refused", "[foreign]") {
  auto filter = RedisBloomFilter::for_capacity(10, 0.01);
  filter.insert("a");
  filter.insert("b");
  const std::uint64_t num_ones = filter.links()[0].bits().count();
  const auto error_with_items = [&](std::uint64_t num_items) {
    std::string items;
    append_little_endian(items, num_items);
    return redisbloom_error(with_field(filter, kLink0 + 16, num_items).replace(0, 8, items));
  };
  CHECK(error_with_items(num_ones) == "nothing thrown");
  CHECK(error_with_items(num_ones + 1) ==
        "redisbloom dump must have at most " + std::to_string(num_ones) +
            " items in link 0, because each item sets a bit, got " + std::to_string(num_ones + 1));
  CHECK(error_with_items(~std::uint64_t{0}) != "nothing thrown");
  // The module may add items after it has written the header of a dump.
  CHECK(error_with_items(0) == "nothing thrown");
}

TEST_CASE("redisbloom: a set bit that no index reaches is refused", "[foreign]") {
  auto filter = RedisBloomFilter::for_capacity(1, 0.01, {.sizing = RedisBloomSizing::kPowerOfTwo});
  REQUIRE(filter.links()[0].shape().num_bits == 16);
  std::string bytes = filter.serialize();
  bytes.back() = '\x01';
  CHECK(redisbloom_error(bytes) ==
        "redisbloom dump must not have bits set from bit 16 on in link 0, got bit 56");
}

TEST_CASE("redisbloom: a dump of any other length is refused", "[foreign]") {
  for (const auto& filter : {empty_redisbloom(), grown_filter(), full_filter()}) {
    const std::string bytes = filter.serialize();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CAPTURE(bytes.size(), size);
      CHECK_THROWS_AS(RedisBloomFilter::parse(bytes.substr(0, size)), ConfigError);
    }
    CHECK_THROWS_AS(RedisBloomFilter::parse(bytes + '\0'), ConfigError);
  }
}

TEST_CASE("redisbloom: a flipped bit is refused or written again", "[foreign]") {
  for (const auto& original : {grown_filter(), full_filter()}) {
    const std::string bytes = original.serialize();
    std::size_t num_refused = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      CAPTURE(bytes.size(), bit);
      try {
        const auto filter = RedisBloomFilter::parse(flipped);
        CHECK(filter.serialize() == flipped);
        (void)filter.contains("item-0");
      } catch (const ConfigError& error) {
        CHECK(test::contains_text(error.what(), "redisbloom dump must "));
        ++num_refused;
      }
    }
    // The reader refuses a flip of any header bit, except in entries, expansion and the last digits
    // of rate and bpe.
    CHECK(num_refused > 200);
  }
}

TEST_CASE("redisbloom: headers that the server refuses are also refused here", "[foreign]") {
  const auto empty = empty_redisbloom();
  CHECK(redisbloom_error("") == "redisbloom dump must have a header of at least 20 bytes, got 0");
  CHECK(redisbloom_error(with_field(empty, 8, 0U)) ==
        "redisbloom dump must have at least 1 link, got 0");
  CHECK(redisbloom_error(with_field(empty, 8, ~0U)) ==
        "redisbloom dump must have a header of 227633266655 bytes for 4294967295 links, got 89");
  CHECK(redisbloom_error(with_field(empty, kLink0 + 40, 9U)) ==
        "redisbloom dump must have 8 hashes for its bpe in link 0, got 9");
  CHECK(redisbloom_error(with_field(empty, 0, std::uint64_t{1})) ==
        "redisbloom dump must have size 0, the sum of its links' sizes, got 1");
  CHECK(redisbloom_error(with_field(empty, kLink0 + 8, std::uint64_t{129})) ==
        "redisbloom dump must have 128 bits, 8 per byte, in link 0, got 129");
  CHECK(redisbloom_error(
            with_field(empty, kLink0, std::uint64_t{0}).replace(kLink0 + 8, 8, 8, '\0')) ==
        "redisbloom dump must have a positive multiple of 8 bytes below 2^60 in link 0, got 0");
  CHECK(redisbloom_error(with_field(empty, 12, 21U)) ==
        "redisbloom dump must have options 4, 5, 12 or 13, with a hash of 64 bits, got 21");
  for (const double rate : {0.0, 1.0, -0.5, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(test::contains_text(
        redisbloom_error(with_field(empty, kLink0 + 24, std::bit_cast<std::uint64_t>(rate))),
        "redisbloom dump must have an error in (0, 1) in link 0, got "));
  }
}

TEST_CASE("redisbloom: headers that no server writes are refused", "[foreign]") {
  const auto empty = empty_redisbloom();
  const auto grown = grown_filter();
  // Option 2 means "entries are bits". Without option 4, keys have a hash of 32 bits.
  CHECK_THROWS_AS(RedisBloomFilter::parse(with_field(empty, 12, 7U)), ConfigError);
  CHECK_THROWS_AS(RedisBloomFilter::parse(with_field(empty, 12, 1U)), ConfigError);
  CHECK(redisbloom_error(with_field(grown, 12, 13U)) ==
        "redisbloom dump must have 1 link in a filter that does not scale, got 4");
  CHECK(redisbloom_error(with_field(empty, 16, 0U)) ==
        "redisbloom dump must have an expansion of at least 1 in a filter that scales, got 0");
  CHECK(redisbloom_error(with_field(empty, kLink0 + 44, std::uint64_t{0})) ==
        "redisbloom dump must have at least 1 entry in link 0, got 0");
  CHECK(redisbloom_error(with_field(empty, kLink0 + 52, std::uint8_t{7})) ==
        "redisbloom dump must have an n2 of 0 with option 1 in link 0, got 7");
  CHECK(redisbloom_error(with_field(empty, 12, 4U)) ==
        "redisbloom dump must have an n2 of 7, the log2 of its 128 bits, in link 0, got 0");
  // A filter of 16 bits has a word of 64 bits.
  const auto small =
      RedisBloomFilter::for_capacity(1, 0.01, {.sizing = RedisBloomSizing::kPowerOfTwo});
  for (const unsigned n2 : {0U, 7U}) {
    CHECK(redisbloom_error(with_field(small, kLink0 + 52, static_cast<std::uint8_t>(n2))) ==
          "redisbloom dump must have an n2 in [1, 6] for 64 bits in link 0, got " +
              std::to_string(n2));
  }
  std::string three_words = with_field(small, kLink0, std::uint64_t{24});
  three_words.replace(kLink0 + 8, 1, "\xc0");
  CHECK(redisbloom_error(three_words) ==
        "redisbloom dump must have a number of bits that is a power of two, without option 1, in "
        "link 0, got 192");
  // With this bpe, a lookup would compute hashes for minutes.
  std::string slow = with_field(empty, kLink0 + 32, std::bit_cast<std::uint64_t>(5e9));
  slow.replace(kLink0 + 40, 4, "\xfa\x10\x94\xce");
  CHECK(test::contains_text(redisbloom_error(slow), "redisbloom dump must have a bpe of 11.02"));
}

TEST_CASE("redisbloom: sizes beyond the input do not allocate memory", "[foreign]") {
  const auto grown = grown_filter();
  for (const std::uint64_t num_bytes :
       {std::uint64_t{0}, std::uint64_t{12}, std::uint64_t{1} << 40U, (std::uint64_t{1} << 60U) - 8,
        std::uint64_t{1} << 60U, std::uint64_t{1} << 61U, ~std::uint64_t{7}}) {
    std::string bytes = with_field(grown, kLink0, num_bytes);
    std::string bits;
    append_little_endian(bits, 8 * num_bytes);
    bytes.replace(kLink0 + 8, 8, bits);
    CAPTURE(num_bytes);
    CHECK_THROWS_AS(RedisBloomFilter::parse(bytes), ConfigError);
  }
  // The sum of the item counts of the links overflows to the correct total.
  std::string bytes = with_field(grown, kLink0 + 16, ~std::uint64_t{0});
  std::string items;
  append_little_endian(items, std::uint64_t{10 + 20 + 1});
  bytes.replace(kLink0 + 53 + 16, 8, items);
  CHECK(test::contains_text(redisbloom_error(bytes),
                            "redisbloom dump must have links' sizes with a sum below 2^64"));
}

TEST_CASE("redisbloom: missing and incomplete chunks are refused", "[foreign]") {
  const auto chunks = test::scan(grown_filter());
  CHECK(load_error({}) ==
        "redisbloom dump must begin with the header, under iterator 1, got 0 chunks");
  CHECK(load_error({chunks[1], chunks[2]}) ==
        "redisbloom dump must begin with the header, under iterator 1, got iterator 17");
  CHECK(load_error({chunks[0]}) ==
        "redisbloom dump must have at least 16 bytes of data, as its header states, got 0");
  CHECK(load_error({chunks[0], chunks[1], chunks[2]}) ==
        "redisbloom dump must have at least 120 bytes of data, as its header states, got 48");
  CHECK(load_error({chunks[0], chunks[2]}) ==
        "redisbloom dump must have iterator 33, 1 + the bytes so far, got 49");
  CHECK(load_error({chunks[0], chunks[1], chunks[1]}) ==
        "redisbloom dump must have iterator 33, 1 + the bytes so far, got 17");
  auto more = chunks;
  more.push_back({chunks.back().iterator + 1, "x"});
  CHECK(load_error(more) == "redisbloom dump must end after its last link, got a chunk of 1 byte");
  CHECK(load_error({chunks[0], {49, chunks[1].data + chunks[2].data}}) ==
        "redisbloom dump must have a chunk of 1 to 16 bytes, within one link, got 48");
}

}  // namespace bloometry
