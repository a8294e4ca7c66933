#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/foreign/hostile_bytes.hpp"
#include "variants/foreign/redis_bitmap/go_bitset.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"
#include "variants/foreign/redis_bitmap/redis_string.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;
using BitmapFilter = RedisBitmapFilter;

constexpr auto kField = "redis_bitmap string"sv;

template <class Call>
std::string error_of(Call call) {
  return test::message_of<ConfigError>(call);
}

BitArray<> random_bits(std::uint64_t num_bits) {
  BitArray<> bits(num_bits);
  for (std::uint64_t i = 0; i < num_bits; ++i) {
    if (mix64(i + num_bits) % 3 == 0) bits.set(i);
  }
  return bits;
}

/// Returns the bit that GETBIT must return according to the documentation of Redis.
bool getbit(std::string_view string, std::uint64_t offset) {
  return offset / 8 < string.size() &&
         (static_cast<unsigned char>(string[offset / 8]) & 0x80U >> offset % 8) != 0;
}

/// Returns whether GETBIT on the string of bits [first, last) returns the bits of that range, and 0
/// for all other offsets.
bool slice_round_trips(const BitArray<>& bits, std::uint64_t first, std::uint64_t last) {
  const std::string string = redis_string(bits, first, last);
  BitArray<> again(bits.size());
  set_bits_of_redis_string(again, first, last, string);
  bool agree = string.size() == (last - first + 7) / 8 && again.count() == bits.count(first, last);
  for (std::uint64_t i = first; i < last; ++i) {
    agree &= getbit(string, i - first) == bits.test(i) && again.test(i) == bits.test(i);
  }
  return agree;
}

}  // namespace

TEST_CASE("redis_bitmap: the bit set of Go is read and its length is checked", "[foreign]") {
  // The example of the README: m = 64, bits 0 and 9.
  const auto bytes = "\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\2\1"sv;
  CHECK(go_bitset_length(bytes) == 64);
  BitArray<> bits(64);
  load_go_bitset(bits, bytes);
  CHECK(bits.count() == 2);
  CHECK((bits.test(0) && bits.test(9)));
  CHECK(BitmapFilter::parse_go_bitset(bytes, {64, 3}).bits().words()[0] == 0x201);
  CHECK(error_of([&] {
          static_cast<void>(BitmapFilter::parse_go_bitset(bytes, {63, 3}));
        }) == "the bit set of Go must have 63 bits, got 64");
  CHECK(error_of([&] {
          static_cast<void>(BitmapFilter::parse_go_bitset(bytes.substr(1), {64, 3}));
        }) == "the bit set of Go must have 64 bits, got another format");
  for (const auto other : {""sv, "\0\0\0\0\0\0\0\0"sv, bytes.substr(0, 8), bytes.substr(0, 15),
                           "\0\0\0\0\0\0\0\x41\0\0\0\0\0\0\2\1"sv,
                           "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\2\1"sv}) {
    CHECK_FALSE(go_bitset_length(other));
  }
}

TEST_CASE("redis_bitmap: any slice of bits converts to a GETBIT string and back", "[foreign]") {
  constexpr std::uint64_t kBits = 200;
  BitArray<> ones(kBits);
  for (std::uint64_t i = 0; i < kBits; ++i) ones.set(i);
  for (const BitArray<>& bits : {random_bits(kBits), ones}) {
    for (std::uint64_t first = 0; first < kBits; ++first) {
      for (std::uint64_t last = first; last <= kBits; ++last) {
        CAPTURE(first, last);
        REQUIRE(slice_round_trips(bits, first, last));
      }
    }
  }
}

TEST_CASE("redis_bitmap: the example in the README works", "[foreign]") {
  BitmapFilter filter(RedisScheme::kJedis, {64, 5});
  CHECK(filter.insert("a"));
  CHECK_FALSE(filter.insert("a"));
  CHECK(filter.indices("a") == std::vector<std::uint64_t>{9, 35, 61, 23, 49});
  CHECK(filter.serialize() == "\x00\x40\x01\x00\x10\x00\x40\x04"sv);
}

TEST_CASE("redis_bitmap: schemes are found by name", "[foreign]") {
  for (const RedisScheme scheme : kRedisSchemes) {
    CHECK(redis_scheme_named(name_of(scheme)) == scheme);
  }
  CHECK(error_of([] { (void)redis_scheme_named("guava"); }) ==
        "scheme must be one of jedis, pyrebloom, php3, go_seeded, got 'guava'");
}

TEST_CASE("redis_bitmap: sizes that no program makes are refused", "[foreign]") {
  const auto error = [](RedisScheme scheme, std::uint64_t num_bits, unsigned num_hashes) {
    return error_of([&] { (void)checked_redis_sizes(scheme, {num_bits, num_hashes}); });
  };
  constexpr auto kNone = "nothing thrown";
  CHECK(error(RedisScheme::kJedis, 0, 5) ==
        "num_bits must be in [1, 2147483647] with scheme jedis, got 0");
  CHECK(error(RedisScheme::kJedis, 2147483647, 5) == kNone);
  CHECK(error(RedisScheme::kJedis, 2147483648, 5) ==
        "num_bits must be in [1, 2147483647] with scheme jedis, got 2147483648");
  CHECK(error(RedisScheme::kGoSeeded, 4294967296, 1075) == kNone);
  CHECK(error(RedisScheme::kGoSeeded, 4294967297, 1) ==
        "num_bits must be in [1, 4294967296] with scheme go_seeded, got 4294967297");
  CHECK(test::contains_text(error(RedisScheme::kGoSeeded, 1, 1076),
                            "num_hashes must be in [1, 1075]"));
  CHECK(
      test::contains_text(error(RedisScheme::kGoSeeded, 1, 0), "num_hashes must be in [1, 1075]"));
  CHECK(error(RedisScheme::kPhp3, 8192, 3) == kNone);
  CHECK(test::contains_text(error(RedisScheme::kPhp3, 8192, 4), "num_hashes must be"));
  CHECK(error(RedisScheme::kPhp3, 8200, 3) ==
        "num_bits must be a multiple of 8192 with scheme php3, got 8200");
  CHECK(error_of([] { (void)BitmapFilter::for_kibibytes(0); }) ==
        "num_kibibytes must be in [1, 524288], got 0");
  CHECK(error_of([] { (void)BitmapFilter::for_kibibytes(524289); }) ==
        "num_kibibytes must be in [1, 524288], got 524289");
  CHECK(test::contains_text(error(RedisScheme::kPyrebloom, kMaxPyrebloomBits + 1, 7),
                            "must be in [1"));
}

TEST_CASE("redis_bitmap pyrebloom: sizes at which pyreBloom lacks a string are refused",
          "[foreign]") {
  // pyreBloom divides 32-bit floats. pyreBloom therefore uses one string for up to 2^32 + 256 bits,
  // but puts index 2^32 - 1 in a second string.
  const auto error = [](std::uint64_t num_bits) {
    return error_of([&] { (void)checked_redis_sizes(RedisScheme::kPyrebloom, {num_bits, 7}); });
  };
  CHECK(error(4294967295) == "nothing thrown");
  CHECK(error(4294967296) ==
        "num_bits must not need more strings than pyreBloom creates, got 4294967296 (needs 2, "
        "creates 1)");
  CHECK(error(4294967552) != "nothing thrown");
  CHECK(error(4294967553) == "nothing thrown");
}

TEST_CASE("redis_bitmap: sizes for a capacity equal the program's or are refused", "[foreign]") {
  const auto sizes = [](RedisScheme scheme, std::uint64_t n, double p) {
    return redis_sizes_for(scheme, n, p);
  };
  // A size above the largest int becomes the largest int, and k is computed from the reduced size.
  CHECK(sizes(RedisScheme::kJedis, 1'000'000'000, 0.01) == RedisSizes{2147483647, 1});
  CHECK(sizes(RedisScheme::kJedis, 3000, 0.03) == RedisSizes{21895, 5});
  CHECK(sizes(RedisScheme::kJedis, 10000, 0.001) == RedisSizes{143775, 10});  // 9.97
  CHECK(sizes(RedisScheme::kJedis, 1000, 0.9) == RedisSizes{219, 1});
  CHECK(sizes(RedisScheme::kPyrebloom, 3000, 0.03) == RedisSizes{21895, 6});
  CHECK(sizes(RedisScheme::kGoSeeded, 3000, 0.03) == RedisSizes{21896, 6});
  CHECK(sizes(RedisScheme::kGoSeeded, 1, 4.9e-324).num_hashes == kMaxRedisHashes);
  const auto error = [&](RedisScheme scheme, std::uint64_t n, double p) {
    return error_of([&] { (void)sizes(scheme, n, p); });
  };
  CHECK(error(RedisScheme::kJedis, 0, 0.01) == "capacity must be at least 1, got 0");
  CHECK(error(RedisScheme::kGoSeeded, 10, 0) ==
        "target_false_positive_rate must be in (0, 1), got 0");
  CHECK(error(RedisScheme::kJedis, 1, 0.9) ==
        "capacity must give 1 to 2147483647 bits with scheme jedis, got 1, which gives 0 at the "
        "rate 0.9");
  CHECK(test::contains_text(error(RedisScheme::kGoSeeded, 1'000'000'000, 0.01),
                            "with scheme go_seeded"));
  CHECK(error(RedisScheme::kPyrebloom, 4294967296, 0.01) ==
        "capacity must be at most 4294967295 with scheme pyrebloom, got 4294967296");
  CHECK(error(RedisScheme::kPhp3, 10, 0.01) ==
        "target_false_positive_rate must be left out with scheme php3, which is sized in KiB");
}

TEST_CASE("redis_bitmap: impossible strings are refused with the reason", "[foreign]") {
  const auto error = [](std::string_view string) {
    return error_of([&] { (void)BitmapFilter::parse(string, RedisScheme::kJedis, {20, 3}); });
  };
  CHECK(error(""sv) == "nothing thrown");
  CHECK(error("\xff\xff\xf0"sv) == "nothing thrown");
  CHECK(error("\xff\xff\xf8"sv) ==
        "redis_bitmap string must not have bits set from bit 20 on, got bit 20");
  CHECK(error("\0\0\0\0"sv) == "redis_bitmap string must have at most 3 bytes for 20 bits, got 4");
  CHECK(error_of([] {
          const std::array strings = {""sv, ""sv};
          (void)BitmapFilter::parse(strings, RedisScheme::kJedis, {20, 3});
        }) == "redis_bitmap must have 1 string for 20 bits with scheme jedis, got 2");
  CHECK(error_of([] {
          (void)BitmapFilter(RedisScheme::kJedis, {20, 3}).serialize_string(1);
        }) == "the number of a redis_bitmap string must be below 1, got 1");
}

TEST_CASE("redis_bitmap: a truncated string is a filter with the remaining bits", "[foreign]") {
  // SETBIT creates strings of any length, so a truncated string cannot be distinguished from a
  // string that SETBIT created.
  for (const RedisScheme scheme : kRedisSchemes) {
    const RedisSizes sizes{scheme == RedisScheme::kPhp3 ? 8192U : 204U, 3};
    BitmapFilter filter(scheme, sizes);
    for (const char* key : {"a", "b", "hello", "Love"}) filter.insert(key);
    const std::string whole = filter.serialize();
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const BitmapFilter cut = BitmapFilter::parse(whole.substr(0, size), scheme, sizes);
      std::string expected = whole.substr(0, size);
      expected.resize(whole.size(), '\0');
      CHECK(cut.serialize() == expected);
    }
    CHECK_THROWS_AS(BitmapFilter::parse(whole + '\0', scheme, sizes), ConfigError);
  }
}

TEST_CASE("redis_bitmap: a flipped bit is refused behind the last cell, and changes a cell before",
          "[foreign]") {
  const RedisSizes sizes{204, 3};
  BitmapFilter filter(RedisScheme::kGoSeeded, sizes);
  for (const char* key : {"a", "b", "hello"}) filter.insert(key);
  const auto parse = [&](std::string_view string) {
    return BitmapFilter::parse(string, RedisScheme::kGoSeeded, sizes);
  };
  const auto serialize = [](const BitmapFilter& parsed) { return parsed.serialize(); };
  const std::string whole = filter.serialize();
  test::check_bit_flips(whole, kField, parse, serialize,
                        [](std::size_t byte, unsigned bit) { return byte < 25 || bit >= 4; });
  test::check_random_damage(whole, kField, parse, serialize);
}

TEST_CASE("redis_bitmap pyrebloom: the second string begins at index 2^32 - 1", "[foreign]") {
  const RedisSizes sizes{kPyrebloomStringBits + 1000, 7};
  const std::array strings = {"\x80"sv, "\x80\0\x01"sv};
  const BitmapFilter filter = BitmapFilter::parse(strings, RedisScheme::kPyrebloom, sizes);
  CHECK(filter.num_strings() == 2);
  CHECK(filter.bits().test(0));
  CHECK(filter.bits().test(kPyrebloomStringBits));
  CHECK(filter.bits().test(kPyrebloomStringBits + 23));
  CHECK(filter.bits().count(0, 64) == 1);
  std::string second("\x80\0\x01", 3);
  second.resize(125, '\0');
  CHECK(filter.serialize_string(1) == second);
  CHECK(error_of([&] { (void)filter.serialize(); }) ==
        "redis_bitmap must have 1 string to be written to one file, got 2");
  const std::array too_long = {""sv, std::string_view(second.append(1, '\0'))};
  CHECK(error_of([&] { (void)BitmapFilter::parse(too_long, RedisScheme::kPyrebloom, sizes); }) ==
        "redis_bitmap string must have at most 125 bytes for 1000 bits, got 126");
}

TEST_CASE("redis_bitmap go_seeded: word i of a key of i bytes is even", "[foreign]") {
  // For these keys, the seed and the length cancel in one lane of murmur3
  // (core/hash/murmur3_128_hasher.hpp). If m is even, index i of such keys is even.
  const BitmapFilter filter(RedisScheme::kGoSeeded, {std::uint64_t{1} << 20U, 9});
  for (unsigned length = 1; length <= 8; ++length) {
    std::array<std::uint64_t, 9> num_odd{};
    for (std::uint64_t i = 0; i < 200; ++i) {
      std::string key = std::to_string(mix64(i + 1));
      const auto indices = filter.indices(key.substr(key.size() - length));
      for (std::size_t probe = 0; probe < 9; ++probe) num_odd[probe] += indices[probe] % 2;
    }
    CAPTURE(length);
    for (std::size_t probe = 0; probe < 9; ++probe)
      CHECK((num_odd[probe] == 0) == (probe == length));
  }
}

}  // namespace bloometry
