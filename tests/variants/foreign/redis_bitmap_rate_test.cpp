// Schemes that follow model W have the exact rate of model W. The scheme jedis does not follow
// model W.

#include <cmath>
#include <cstdint>
#include <string>

#include "core/hash/mix.hpp"
#include "tests/support/catch.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_theory.hpp"

namespace bloometry {
namespace {

/// Returns the deviation of the number of false positives from the expectation of model W, in
/// standard deviations. Queries many filters of num_keys keys. For one filter, the number of false
/// positives is binomial. The rates vary between filters.
double deviation(RedisScheme scheme, const RedisSizes& sizes, std::uint64_t num_keys) {
  constexpr std::uint64_t kFilters = 2000;
  constexpr std::uint64_t kQueries = 200;
  std::uint64_t word = mix64(static_cast<std::uint64_t>(scheme) + num_keys);
  const auto next_key = [&word] { return "key:" + std::to_string(mix64(++word)); };
  std::uint64_t num_false_positives = 0;
  for (std::uint64_t f = 0; f < kFilters; ++f) {
    RedisBitmapFilter filter(scheme, sizes);
    for (std::uint64_t i = 0; i < num_keys; ++i) filter.insert(next_key());
    for (std::uint64_t i = 0; i < kQueries; ++i) num_false_positives += filter.contains(next_key());
  }
  const Prediction model = theory::bit_prediction(ProbeModel::kWithReplacement, num_keys,
                                                  sizes.num_bits, sizes.num_hashes);
  const double rate = *model.exact;
  const double within = kQueries * rate * (1 - rate);
  const double between = std::pow(kQueries * *model.rate_stddev, 2);
  return (static_cast<double>(num_false_positives) - kFilters * kQueries * rate) /
         std::sqrt(kFilters * (within + between));
}

}  // namespace

TEST_CASE("redis_bitmap: pyrebloom and go_seeded have the exact rate of model W", "[foreign]") {
  // The test is two-sided. Each of the four cases fails by chance with probability 1e-6. Each case
  // has 2000 filters with 200 queries each.
  for (const RedisScheme scheme : {RedisScheme::kPyrebloom, RedisScheme::kGoSeeded}) {
    for (const std::uint64_t num_keys : {10U, 100U}) {
      const RedisSizes sizes = redis_sizes_for(scheme, num_keys, 0.05);
      CAPTURE(name_of(scheme), num_keys, sizes.num_bits, sizes.num_hashes);
      CHECK(std::fabs(deviation(scheme, sizes, num_keys)) < 4.9);
      const Prediction prediction = redis_bitmap_prediction(scheme, sizes, num_keys);
      CHECK(prediction.exact == theory::bit_prediction(ProbeModel::kWithReplacement, num_keys,
                                                       sizes.num_bits, sizes.num_hashes)
                                    .exact);
    }
  }
}

TEST_CASE("redis_bitmap: jedis is above the rate of model W for few keys", "[foreign]") {
  CHECK(deviation(RedisScheme::kJedis, redis_sizes_for(RedisScheme::kJedis, 10, 0.01), 10) > 10);
}

TEST_CASE("redis_bitmap: schemes without an exact rate have the classic rate and a reason",
          "[foreign]") {
  for (const RedisScheme scheme : kRedisSchemes) {
    const Prediction prediction = redis_bitmap_prediction(scheme, {8192, 3}, 100);
    const bool has_reason = !RedisBitmapFilter::why_no_exact_rate(scheme).empty();
    CAPTURE(name_of(scheme));
    CHECK(prediction.exact.has_value() == !has_reason);
    CHECK(prediction.expected_fill_ratio.has_value() == !has_reason);
    CHECK(prediction.rate_stddev.has_value() == !has_reason);
    REQUIRE_FALSE(prediction.approximations.empty());
    if (has_reason) CHECK(prediction.approximations.size() == 1);
    CHECK(prediction.approximations.front().name == "classic");
  }
  CHECK_FALSE(RedisBitmapFilter::why_no_exact_rate(RedisScheme::kJedis).empty());
  CHECK_FALSE(RedisBitmapFilter::why_no_exact_rate(RedisScheme::kPhp3).empty());
}

}  // namespace bloometry
