#include "experiments/examples/remote_postcode/publisher.hpp"

#include <algorithm>

#include "core/any_filter/keyed.hpp"
#include "experiments/examples/remote_postcode/postcodes.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/redis/keyed_in_redis.hpp"
#include "variants/standard/standard_theory.hpp"

namespace bloometry::examples {

template <class F>
Published publish_filter(RedisClient& client, std::uint64_t num_remote, double rate) {
  const FilterSpec spec{.capacity = num_remote, .target_false_positive_rate = rate};
  Keyed<F> filter(spec, 1);
  for (std::uint64_t i = 0; i < num_remote; ++i) filter.insert(postcode_number(i));
  const std::string name = "remote-" + std::string(F::kName);
  load_into_redis(client, name, filter);
  return {.filter = name, .expected = expected_rate(filter.filter(), spec, num_remote)};
}

template Published publish_filter<StandardFilter>(RedisClient&, std::uint64_t, double);
template Published publish_filter<BlockedFilter>(RedisClient&, std::uint64_t, double);

void publish_set(RedisClient& client, const std::string& name, std::uint64_t num_remote) {
  constexpr std::uint64_t kBatch = 1000;
  for (std::uint64_t first = 0; first < num_remote; first += kBatch) {
    const std::uint64_t last = std::min(first + kBatch, num_remote);
    RedisCommands commands;
    commands.begin(2 + (last - first)).argument("SADD").argument(name);
    for (std::uint64_t i = first; i < last; ++i) commands.argument(postcode_number(i));
    client.command(name, commands);
  }
}

std::uint64_t memory_usage(RedisClient& client, const std::string& key) {
  const RedisReply reply =
      client.command(key, RedisCommands().add("MEMORY", "USAGE", key, "SAMPLES", 0));
  return static_cast<std::uint64_t>(reply.view().integer());
}

}  // namespace bloometry::examples
