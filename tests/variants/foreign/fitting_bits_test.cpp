#include "variants/foreign/redis_bitmap/fitting_bits.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "core/hash/little_endian.hpp"
#include "core/hash/mix.hpp"
#include "core/statistics/binomial_test.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Returns a filter of num_keys pseudo-random keys of at most 16 bytes.
RedisBitmapFilter filter_of(RedisScheme scheme, const RedisSizes& sizes, std::uint64_t num_keys,
                            std::uint64_t seed, std::size_t key_bytes) {
  RedisBitmapFilter filter(scheme, sizes);
  for (std::uint64_t i = 0; i < num_keys; ++i) {
    std::string key;
    append_little_endian(key, mix64(mix64(seed) + i));
    append_little_endian(key, mix64(mix64(seed) - 1 - i));
    filter.insert(std::string_view(key).substr(0, key_bytes));
  }
  return filter;
}

/// Returns the fitting bits at a large probability of a wrong exclusion, so that a simulation can
/// measure the probability.
FittingBits fitting_at(const RedisBitmapFilter& filter, double max_wrong_exclusion) {
  const FittingBits fitting = fitting_bits(filter);
  return fitting_bits(filter.scheme(), filter.num_hashes(), filter.bits().count(), fitting.least,
                      max_wrong_exclusion);
}

}  // namespace

TEST_CASE("fitting_bits: the correct m is rarely excluded, even with one key", "[foreign]") {
  // The test of each case fails for a correct check with probability at most 1e-6.
  constexpr double kExclusion = 0.02;
  constexpr std::uint64_t kFilters = 5000;
  for (const RedisScheme scheme :
       {RedisScheme::kJedis, RedisScheme::kPyrebloom, RedisScheme::kGoSeeded}) {
    for (const unsigned num_hashes : {1U, 2U, 7U, 30U}) {
      for (const std::uint64_t num_keys : {1U, 2U, 10U}) {
        for (const std::size_t key_bytes : {3U, 16U}) {
          const RedisSizes sizes{.num_bits = 1000, .num_hashes = num_hashes};
          std::uint64_t num_excluded = 0;
          for (std::uint64_t f = 0; f < kFilters; ++f) {
            const RedisBitmapFilter filter = filter_of(scheme, sizes, num_keys, f, key_bytes);
            num_excluded += !fitting_at(filter, kExclusion).contains(sizes.num_bits);
          }
          CAPTURE(name_of(scheme), num_hashes, num_keys, key_bytes, num_excluded);
          CHECK(1 - statistics::binomial_randomised_pit(num_excluded, kFilters, kExclusion, 0) >
                1e-6);
        }
      }
    }
  }
}

TEST_CASE("fitting_bits: an m that is 1 % too large is excluded for 5,000 keys", "[foreign]") {
  for (const RedisScheme scheme :
       {RedisScheme::kJedis, RedisScheme::kPyrebloom, RedisScheme::kGoSeeded}) {
    const RedisSizes sizes = redis_sizes_for(scheme, 5000, 0.01);
    const FittingBits fitting = fitting_bits(filter_of(scheme, sizes, 5000, 1, 16));
    CAPTURE(name_of(scheme), interval_text(fitting), sizes.num_bits);
    CHECK(fitting.contains(sizes.num_bits));
    CHECK_FALSE(fitting.contains(sizes.num_bits + sizes.num_bits / 100));
    CHECK_FALSE(fitting.contains(fitting.least - 1));
    CHECK(fitting.excludes_twice(sizes.num_bits));
  }
}

TEST_CASE("fitting_bits: the limits have the stated probability", "[foreign]") {
  // 20 independent bits are below 1000 of 2818 with probability (1000/2818)^20 = 1.005e-9.
  const auto most = [](RedisScheme scheme, unsigned num_hashes, std::uint64_t num_ones,
                       std::uint64_t end) {
    return fitting_bits(scheme, num_hashes, num_ones, end).most;
  };
  CHECK(most(RedisScheme::kPyrebloom, 7, 20, 1000) == 2818);
  CHECK(std::pow(1000.0 / 2818, 20) >= 1e-9);
  CHECK(std::pow(1000.0 / 2819, 20) < 1e-9);
  // The last index of short keys of go_seeded may be below 1000 instead of 999.
  CHECK(most(RedisScheme::kGoSeeded, 7, 20, 999) == 2818);
  CHECK(most(RedisScheme::kGoSeeded, 7, 20, 1000) == 2818);
  // 21 bits of jedis prove 10 keys with 2 hashes, or 3 keys with 7; one bit may be the empty key's.
  CHECK(most(RedisScheme::kJedis, 2, 21, 1000) == 2818);
  CHECK(most(RedisScheme::kJedis, 20, 21, 10) == 316227);
  CHECK(most(RedisScheme::kJedis, 1, 21, 1000) == 2818);
}

TEST_CASE("fitting_bits: few set bits do not exclude any larger m", "[foreign]") {
  for (const RedisScheme scheme : kRedisSchemes) {
    const unsigned num_hashes = scheme == RedisScheme::kPhp3 ? 3 : 5;
    const RedisSizes sizes{.num_bits = 8192, .num_hashes = num_hashes};
    CAPTURE(name_of(scheme));
    CHECK(fitting_bits(RedisBitmapFilter(scheme, sizes)) == FittingBits{});
    CHECK(fitting_bits(scheme, num_hashes, 1, 10'000) == FittingBits{.least = 10'000, .most = {}});
    CHECK_FALSE(fitting_bits(scheme, num_hashes, 1, 10'000).excludes_twice(10'000));
  }
  CHECK_FALSE(fitting_bits(RedisScheme::kPhp3, 3, 5000, 8000).most);
  // The empty key of jedis sets bit 0 for every m.
  RedisBitmapFilter filter(RedisScheme::kJedis, {.num_bits = 1'000'000'000, .num_hashes = 7});
  filter.insert("");
  CHECK(filter.bits().count() == 1);
  CHECK(fitting_bits(filter).contains(1'000'000'000));
}

TEST_CASE("fitting_bits: the interval is printed", "[foreign]") {
  CHECK(interval_text({.least = 57, .most = 71}) == "in [57, 71]");
  CHECK(interval_text({.least = 57, .most = {}}) == "at least 57");
}

}  // namespace bloometry
