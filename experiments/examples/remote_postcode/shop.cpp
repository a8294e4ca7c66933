#include "experiments/examples/remote_postcode/shop.hpp"

#include <fmt/core.h>
#include <string_view>

#include "core/error.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/redis/redis_error.hpp"

namespace bloometry::examples {

Shop::Shop(const std::shared_ptr<RedisClient>& client, const std::string& filter,
           const RedisFilter::Options& options)
    : Shop(client, find_in_redis(*client, filter), options) {}

Shop::Shop(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
           const RedisFilter::Options& options)
    : hasher_(location.parameters.seed.value_or(0)),
      filter_(client, location, hash_call(hasher_), options) {
  if (location.parameters.hash != Xxh3Hasher::kName) {
    throw ConfigError("hash", "must be xxh3, got " + location.parameters.hash);
  }
}

std::vector<bool> Shop::are_remote(std::span<const KeyView> postcodes) {
  std::vector<bool> remote;
  for (const Presence presence : filter_.query(postcodes)) {
    remote.push_back(presence == Presence::kPresent);
  }
  return remote;
}

std::vector<bool> are_in_set(RedisClient& client, const std::string& name,
                             std::span<const KeyView> postcodes) {
  // The MULTI also contains EXISTS, because SMISMEMBER replies 0 for a set that does not exist.
  RedisCommands commands;
  commands.add("EXISTS", name);
  commands.begin(2 + postcodes.size()).argument("SMISMEMBER").argument(name);
  for (const KeyView postcode : postcodes) {
    commands.argument(std::string_view(postcode.data(), postcode.size()));
  }
  const RedisReply reply = client.transaction(name, commands);
  if (reply.view()[0].integer() == 0) {
    throw RedisError(RedisFailure::kMissing,
                     fmt::format("{}: key '{}' does not exist", client.name(), name));
  }
  std::vector<bool> present;
  for (std::size_t i = 0; i < postcodes.size(); ++i) {
    present.push_back(reply.view()[1][i].integer() == 1);
  }
  return present;
}

}  // namespace bloometry::examples
