#pragma once

#include <cstdint>
#include <string>

#include "core/any_filter/keyed.hpp"
#include "core/redis/redis_client.hpp"
#include "experiments/examples/cache_guard/request_log.hpp"
#include "experiments/examples/false_positives.hpp"
#include "variants/redis/keyed_in_redis.hpp"

namespace bloometry::examples {

/// Seed of the filters' hash. Any seed is suitable unless an attacker chooses the URLs. The example
/// malicious_url uses a secret for URLs that an attacker chooses.
inline constexpr std::uint64_t kSeed = 1;

/// A filter in Redis that contains all existing URLs.
struct LoadedFilter {
  std::string name{};
  std::uint64_t num_bits = 0;
  ExpectedRate expected{};
};

/// Builds the filter and stores it in Redis, replacing an existing filter.
template <class F>
[[nodiscard]] LoadedFilter load_filter(RedisClient& client, const RequestLog& log, double rate) {
  const FilterSpec spec{.capacity = log.num_urls, .target_false_positive_rate = rate};
  Keyed<F> filter(spec, kSeed);
  for (std::uint64_t i = 0; i < log.num_urls; ++i) filter.insert(log.urls[i]);
  const std::string name = "old-urls-" + std::string(F::kName);
  load_into_redis(client, name, filter);
  return {.name = name,
          .num_bits = filter.filter().num_bits(),
          .expected = expected_rate(filter.filter(), spec, log.num_urls)};
}

}  // namespace bloometry::examples
