#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/variants/foreign/redisbloom_scan.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry {

TEST_CASE("redisbloom: a link with less than one bit has one word", "[foreign][redisbloom]") {
  // 1 entry of |ln 0.9| / (ln 2)^2 = 0.22 bits; the module then uses 1 bit, rounded up to a word.
  const RedisBloomShape shape =
      RedisBloomShape::for_capacity(1, 0.9, RedisBloomSizing::kWholeWords);
  CHECK(shape.num_bits == 64);
  RedisBloomFilter filter = RedisBloomFilter::for_capacity(1, 0.9);
  CHECK_FALSE(filter.contains("a"));
  filter.insert("a");
  CHECK(filter.contains("a"));
}

TEST_CASE("redisbloom: chunks of any size are read", "[foreign]") {
  const auto filter = test::with_items(RedisBloomFilter::for_capacity(10, 0.01), 75);
  REQUIRE(filter.links().size() == 4);
  for (const std::uint64_t size : {1, 3, 7, 8, 9, 64, 1000}) {
    CAPTURE(size);
    const auto chunks = test::scan(filter, size);
    CHECK(std::all_of(chunks.begin() + 1, chunks.end(),
                      [&](const auto& chunk) { return chunk.data.size() <= size; }));
    CHECK(RedisBloomFilter::load(chunks).serialize() == filter.serialize());
  }
  CHECK(filter.scan_dump(-1).iterator == 0);
  CHECK(filter.scan_dump(std::numeric_limits<std::int64_t>::max()).iterator == 0);
}

TEST_CASE("redisbloom: a link counts the items that change a bit", "[foreign]") {
  RedisBloomLink link(RedisBloomShape::for_capacity(10, 0.01, RedisBloomSizing::kWholeWords));
  CHECK(link.insert({1, 2}));
  CHECK_FALSE(link.insert({1, 2}));
  CHECK(link.num_items() == 1);
}

TEST_CASE("redisbloom: error rates above 1/4 are lowered", "[foreign]") {
  // BF.RESERVE with 0.5: version 2.4.23 reports "bytes:8 bits:64 hashes:3 hashwidth:64 capacity:10
  // size:0 ratio:0.25" for the link, which has half the rate of the chain.
  const auto filter = RedisBloomFilter::for_capacity(10, 0.5);
  CHECK(filter.links()[0].shape().error_rate == 0.125);
  CHECK(RedisBloomFilter::for_capacity(10, 0.25).serialize() == filter.serialize());
}

TEST_CASE("redisbloom: impossible capacities, rates and expansions are refused", "[foreign]") {
  const auto error = [](std::uint64_t n, double p, const RedisBloomOptions& options = {}) {
    return test::message_of<ConfigError>(
        [&] { (void)RedisBloomFilter::for_capacity(n, p, options); });
  };
  CHECK(error(0, 0.01) == "capacity must be at least 1, got 0");
  for (const double p : {0.0, -1.0, 1.0, 2.0, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity()}) {
    CHECK(test::contains_text(error(10, p), "target_false_positive_rate must be in (0, 1)"));
  }
  CHECK(error(10, 0.01, {.expansion = 0}) ==
        "expansion must be at least 1 in a filter that scales, got 0");
  CHECK(error(10, 0.01, {.expansion = 0, .is_scaling = false}) == "nothing thrown");
  for (const auto sizing : {RedisBloomSizing::kWholeWords, RedisBloomSizing::kPowerOfTwo}) {
    CHECK(test::contains_text(error(std::uint64_t{1} << 62U, 0.01, {.sizing = sizing}),
                              "capacity must be small enough for 2^62 bits"));
  }
}

TEST_CASE("redisbloom: sizes use the module's truncated constants", "[foreign]") {
  const auto shape = [](std::uint64_t capacity, double error_rate) {
    return RedisBloomShape::for_capacity(capacity, error_rate, RedisBloomSizing::kWholeWords);
  };
  for (int k = 1; k <= 24; ++k) {
    CAPTURE(k);
    CHECK(shape(1000, std::ldexp(1.0, -k)).num_hashes == static_cast<unsigned>(k) + 1);
  }
  CHECK(shape(17'187'418, std::ldexp(1.0, -21)).num_bits == 520'720'320);
  CHECK(shape(64'982'432, std::ldexp(1.0, -23)).num_bits == 2'156'246'208);
  // A computed size of less than one bit is rounded up.
  CHECK(shape(1, 0.9).num_bits == 64);
  CHECK(shape(1, 0.9).num_hashes == 1);
}

TEST_CASE("redisbloom: sizes are rounded to a power of two, and the capacity grows with them",
          "[foreign]") {
  struct Row {
    std::uint64_t requested;
    double error_rate;
    std::uint64_t num_bits;
    unsigned num_hashes;
    std::uint64_t capacity;
  };

  for (const Row& row : {Row{1, 0.01, 16, 7, 1}, Row{2, 0.01, 32, 7, 3}, Row{7, 0.01, 128, 7, 13},
                         Row{100, 0.01, 1024, 7, 106}, Row{100, 0.001, 2048, 10, 142},
                         Row{1000, 0.02, 8192, 6, 1006}, Row{13, 0.25, 64, 3, 22},
                         Row{1'000'000, 0.0001, 33554432, 14, 1750350},
                         Row{3'000'000'000, 0.25, 17179869184, 3, 5954088943}}) {
    const auto shape =
        RedisBloomShape::for_capacity(row.requested, row.error_rate, RedisBloomSizing::kPowerOfTwo);
    CAPTURE(row.requested, row.error_rate);
    CHECK(shape.num_bits == row.num_bits);
    CHECK(shape.num_hashes == row.num_hashes);
    CHECK(shape.capacity == row.capacity);
  }
}

TEST_CASE("redisbloom: a rounded filter is written and read back, above and below a word",
          "[foreign]") {
  for (const std::uint64_t capacity : {1, 2, 7, 100, 3000}) {
    CAPTURE(capacity);
    auto filter =
        RedisBloomFilter::for_capacity(capacity, 0.01, {.sizing = RedisBloomSizing::kPowerOfTwo});
    for (int i = 0; i < 500; ++i) filter.insert("item-" + std::to_string(i));
    const auto copy = RedisBloomFilter::parse(filter.serialize());
    CHECK(copy.serialize() == filter.serialize());
    CHECK(copy.links().size() == filter.links().size());
    for (int i = 0; i < 500; ++i) CHECK(copy.contains("item-" + std::to_string(i)));
  }
}

TEST_CASE("redisbloom: a fold equals a filter built with the smaller size", "[foreign]") {
  // The large filter has `divisor` times as many bits as the small filter.
  struct Sizes {
    std::uint64_t large;
    std::uint64_t small;
    std::uint64_t divisor;
    RedisBloomSizing sizing;
  };

  for (const Sizes& sizes : {Sizes{300, 100, 3, RedisBloomSizing::kWholeWords},
                             Sizes{600, 100, 6, RedisBloomSizing::kWholeWords},
                             Sizes{400, 100, 4, RedisBloomSizing::kPowerOfTwo},
                             Sizes{100, 1, 64, RedisBloomSizing::kPowerOfTwo}}) {
    const RedisBloomOptions options{.is_scaling = false, .sizing = sizes.sizing};
    auto large = RedisBloomFilter::for_capacity(sizes.large, 0.01, options);
    auto small = RedisBloomFilter::for_capacity(sizes.small, 0.01, options);
    CAPTURE(large.num_bits(), small.num_bits(), sizes.divisor);
    REQUIRE(large.num_bits() == sizes.divisor * small.num_bits());
    const std::uint64_t num_items = small.links()[0].shape().capacity;
    for (std::uint64_t i = 0; i < num_items; ++i) {
      const std::string key = "item-" + std::to_string(i);
      large.insert(key);
      small.insert(key);
    }
    const auto folded = large.fold(sizes.divisor);
    CHECK(folded.scan_dump(1).data == small.scan_dump(1).data);
    CHECK(folded.links()[0].shape().num_hashes == small.links()[0].shape().num_hashes);
    CHECK(RedisBloomFilter::parse(folded.serialize()).serialize() == folded.serialize());
  }
}

TEST_CASE("redisbloom: a chain is folded by link and keeps its keys", "[foreign]") {
  auto filter = RedisBloomFilter::for_capacity(40, 0.01, {.sizing = RedisBloomSizing::kPowerOfTwo});
  for (int i = 0; i < 1000; ++i) filter.insert("item-" + std::to_string(i));
  REQUIRE(filter.links().size() > 2);
  const auto folded = filter.fold(2);
  CHECK(folded.num_bits() == filter.num_bits() / 2);
  CHECK(folded.num_items() == filter.num_items());
  for (int i = 0; i < 1000; ++i) CHECK(folded.contains("item-" + std::to_string(i)));
}

TEST_CASE("redisbloom: a folded link has at most one item per set bit", "[foreign]") {
  auto filter =
      RedisBloomFilter::for_capacity(1000, 0.01, {.sizing = RedisBloomSizing::kPowerOfTwo});
  for (int i = 0; i < 1000; ++i) filter.insert("item-" + std::to_string(i));
  const auto folded = filter.fold(filter.num_bits() / 64);
  CHECK(filter.num_items() > 900);
  CHECK(folded.num_items() == 64);
  CHECK(RedisBloomFilter::parse(folded.serialize()).serialize() == folded.serialize());
}

TEST_CASE("redisbloom: a fold that the format cannot hold is refused", "[foreign]") {
  const auto error = [](const RedisBloomFilter& filter, std::uint64_t divisor) {
    return test::message_of<ConfigError>([&] { (void)filter.fold(divisor); });
  };
  const auto words = RedisBloomFilter::for_capacity(100, 0.01, {.is_scaling = false});
  CHECK(error(words, 0) == "fold divisor must divide num_bits 960, got 0");
  CHECK(error(words, 7) == "fold divisor must divide num_bits 960, got 7");
  CHECK(error(words, 2) ==
        "num_bits / fold divisor must be a positive multiple of 64, got 960 / 2");
  CHECK(error(words, 15) == "nothing thrown");
  const auto rounded = RedisBloomFilter::for_capacity(
      100, 0.01, {.is_scaling = false, .sizing = RedisBloomSizing::kPowerOfTwo});
  CHECK(error(rounded, 512) == "nothing thrown");
  CHECK(error(rounded, 1024) == "num_bits / fold divisor must be at least 2, got 1024 / 1024");
}

}  // namespace bloometry
