#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/foreign/hostile_bytes.hpp"
#include "variants/foreign/guava/guava_filter.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;

constexpr auto kMitz32 = GuavaStrategy::kMurmur128Mitz32;
constexpr auto kMitz64 = GuavaStrategy::kMurmur128Mitz64;

GuavaFilter parsed_guava(std::string_view bytes) {
  return GuavaFilter::parse(bytes);
}

std::string serialized_guava(const GuavaFilter& filter) {
  return filter.serialize();
}

/// Returns a file of a filter with two longs, k = 3 and three keys.
std::string small_file(GuavaStrategy strategy) {
  GuavaFilter filter(128, 3, strategy);
  for (const char* key : {"a", "b", "hello"}) filter.insert(key);
  return filter.serialize();
}

std::string guava_error(std::string_view bytes) {
  return test::message_of<ConfigError>([&] { (void)GuavaFilter::parse(bytes); });
}

}  // namespace

// Guava's funnels do not accept bool, char, wchar_t, std::uint32_t or std::int16_t.
static_assert(!std::convertible_to<bool, GuavaKey> && !std::convertible_to<char, GuavaKey> &&
              !std::convertible_to<wchar_t, GuavaKey> &&
              !std::convertible_to<std::uint32_t, GuavaKey> &&
              !std::convertible_to<std::int16_t, GuavaKey>);

TEST_CASE("guava: the example in the README works", "[foreign]") {
  GuavaFilter filter(256, 5);
  CHECK(filter.insert("a"));
  CHECK(filter.indices("a") == std::vector<std::uint64_t>{137, 227, 61, 151, 241});
  CHECK(GuavaFilter(256, 5, kMitz32).indices("a") ==
        std::vector<std::uint64_t>{238, 83, 71, 29, 125});
  CHECK(filter.serialize() ==
        "\x01\x05\0\0\0\x04"
        "\x20\0\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0"
        "\0\0\0\0\0\x80\x02\0"
        "\0\x02\0\x08\0\0\0\0"sv);
}

TEST_CASE("guava: keys of different types are equal if their bytes are", "[foreign]") {
  const auto same = [](const GuavaKey& a, const GuavaKey& b) { return a.digest() == b.digest(); };
  const std::string abc = "abc";
  const auto bytes = std::as_bytes(std::span<const char>(abc));
  CHECK(same("abc", bytes));
  CHECK(same(u"abc", "a\0b\0c\0"sv));
  CHECK(same(std::int64_t{97}, "a\0\0\0\0\0\0\0"sv));
  CHECK(same(std::int32_t{97}, "a\0\0\0"sv));
  CHECK(same("", u""));
  CHECK_FALSE(same("abc", u"abc"));
  CHECK_FALSE(same(std::int64_t{97}, std::int32_t{97}));
}

TEST_CASE("guava: the empty key sets only bit 0", "[foreign]") {
  for (const GuavaStrategy strategy : {kMitz32, kMitz64}) {
    GuavaFilter filter(640, 7, strategy);
    CHECK(filter.insert(""));
    CHECK(filter.bits().count() == 1);
    CHECK(filter.bits().test(0));
  }
}

TEST_CASE("guava: MITZ_32 leaves bits from 2^31 on unset, MITZ_64 does not", "[foreign]") {
  constexpr std::uint64_t kBits = std::uint64_t{1} << 33U;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 31U;
  const auto highest = [](GuavaStrategy strategy) {
    GuavaFilter filter(kBits, 7, strategy);
    std::uint64_t max = 0;
    for (std::int32_t key = 0; key < 1000; ++key) {
      for (const std::uint64_t i : filter.indices(key)) max = std::max(max, i);
    }
    return max;
  };
  CHECK(highest(kMitz32) < kLimit);
  CHECK(highest(kMitz32) > kLimit / 2);
  CHECK(highest(kMitz64) > 3 * kLimit);
}

TEST_CASE("guava: k is rounded as Math.round does, and at least 1", "[foreign]") {
  constexpr auto kFromRate = GuavaNumHashes::kFromRate;
  CHECK(GuavaFilter::for_capacity(1000, 0.99).num_hashes() == 1);
  CHECK(GuavaFilter::for_capacity(1000, 0.99, kMitz64, kFromRate).num_hashes() == 1);
  CHECK(GuavaFilter::for_capacity(1000, 1.0 / 64, kMitz64, kFromRate).num_hashes() == 6);
  CHECK(GuavaFilter::for_capacity(1000, 0.03).num_hashes() == 5);
}

TEST_CASE("guava: bits are rounded up to whole longs", "[foreign]") {
  CHECK(GuavaFilter::for_capacity(167, 0.01).num_bits() == 1600);
  CHECK(GuavaFilter::for_capacity(168, 0.01).num_bits() == 1664);
}

TEST_CASE("guava: sizes out of range are refused", "[foreign]") {
  const auto error = [](auto make) { return test::message_of<ConfigError>(make); };
  CHECK(error([] { GuavaFilter(0, 1); }) ==
        "num_bits must be a multiple of 64 in [64, 137438953408], got 0");
  CHECK(error([] { GuavaFilter(65, 1); }) ==
        "num_bits must be a multiple of 64 in [64, 137438953408], got 65");
  CHECK_THROWS_AS(GuavaFilter(96, 1), ConfigError);
  CHECK(error([] { GuavaFilter(137438953472, 1); }) ==
        "num_bits must be a multiple of 64 in [64, 137438953408], got 137438953472");
  CHECK(test::contains_text(error([] { GuavaFilter(64, 0); }), "num_hashes must be in [1, 255]"));
  CHECK(test::contains_text(error([] { GuavaFilter(64, 256); }), "got 256"));
  CHECK_NOTHROW(GuavaFilter(64, 255));
  CHECK(error([] { GuavaFilter(64, 1, GuavaStrategy{2}); }) ==
        "strategy must be 0 (MURMUR128_MITZ_32) or 1 (MURMUR128_MITZ_64), got 2");
  CHECK(error([] { (void)GuavaFilter::for_capacity(10, 1); }) ==
        "target_false_positive_rate must be in (0, 1), got 1");
  CHECK(error([] { (void)GuavaFilter::for_capacity(10, 0); }) ==
        "target_false_positive_rate must be in (0, 1), got 0");
  CHECK(test::contains_text(
      error([] { (void)GuavaFilter::for_capacity(1, 0.7); }),
      "must give 1 to 137438953408 bits, got 1, which gives 0 at the rate 0.7"));
  CHECK_THROWS_AS(GuavaFilter::for_capacity(~std::uint64_t{0}, 0.01), ConfigError);
  // Guava accepts at most 255 hash functions.
  CHECK_THROWS_AS(GuavaFilter::for_capacity(1, 1e-80), ConfigError);
}

TEST_CASE("guava: errors name the field, the value and what is allowed", "[foreign]") {
  CHECK(guava_error("") == "guava file must have at least 6 bytes, got 0");
  CHECK(guava_error("\x02\x05\0\0\0\x01"sv) ==
        "guava file must have strategy 0 (MURMUR128_MITZ_32) or 1 (MURMUR128_MITZ_64), got 2");
  CHECK(guava_error("\x01\0\0\0\0\x01"sv) == "guava file must have 1 to 255 hash functions, got 0");
  CHECK(guava_error("\x01\x05\0\0\0\0"sv) == "guava file must have 1 to 2147483647 longs, got 0");
  CHECK(guava_error("\x01\x05\xff\xff\xff\xff"sv) ==
        "guava file must have 1 to 2147483647 longs, got -1");
  // These six bytes would request 17 GB of memory (google/guava #8447).
  CHECK(guava_error("\x01\x05\x7f\xff\xff\xff"sv) ==
        "guava file must have 17179869182 bytes for its 2147483647 longs, got 6");
}

TEST_CASE("guava: other lengths are refused", "[foreign]") {
  for (const GuavaStrategy strategy : {kMitz32, kMitz64}) {
    test::check_other_lengths(small_file(strategy), "guava file", parsed_guava, serialized_guava);
  }
}

TEST_CASE("guava: a flipped bit is refused, or changes a cell, k or the strategy", "[foreign]") {
  // The format has no checksum, so most changed bits are undetectable. Flipping one bit of k = 3
  // does not give 0.
  const auto is_undetectable = [](std::size_t byte, unsigned bit) {
    return (byte == 0 && bit == 0) || byte == 1 || byte >= 6;
  };
  for (const GuavaStrategy strategy : {kMitz32, kMitz64}) {
    test::check_bit_flips(small_file(strategy), "guava file", parsed_guava, serialized_guava,
                          is_undetectable);
  }
}

TEST_CASE("guava: random damage is an error or another filter", "[foreign]") {
  test::check_random_damage(small_file(kMitz64), "guava file", parsed_guava, serialized_guava);
}

}  // namespace bloometry
