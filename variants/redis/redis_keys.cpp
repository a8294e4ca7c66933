#include "variants/redis/redis_keys.hpp"

#include "core/error.hpp"
#include "core/redis/cluster_slots.hpp"

namespace bloometry {
std::string key_beside(std::string_view bitmap_key, const std::string& suffix) {
  if (bitmap_key.empty()) throw ConfigError("key", "must not be empty");
  const bool has_tag = hash_tag(bitmap_key).size() < bitmap_key.size();
  std::string name(bitmap_key);
  if (!has_tag) name = "{" + name + "}";
  name += ":" + suffix;
  if (hash_tag(name) == hash_tag(bitmap_key)) return name;
  throw ConfigError("key",
                    "must not contain braces, or must have a hash tag as in user:{7}, got '" +
                        std::string(bitmap_key) + "'");
}

std::string parameters_key(std::string_view bitmap_key) {
  return key_beside(bitmap_key, "parameters");
}

std::string loading_key(std::string_view bitmap_key, std::string_view version) {
  return key_beside(bitmap_key, "loading:" + std::string(version));
}

std::string shard_key(std::string_view name, std::uint64_t i, std::string_view version) {
  if (name.find_first_of("{}") != std::string_view::npos) {
    throw ConfigError("key", "must not contain braces if the filter is split into shards, got '" +
                                 std::string(name) + "'");
  }
  return std::string(name) + ":{" + std::to_string(i) + "}:" + std::string(version);
}

std::string current_key(std::string_view name) {
  return std::string(name) + ":current";
}

std::string type_of(RedisClient& client, const std::string& key) {
  const RedisReply reply = client.command(key, RedisCommands().add("TYPE", key));
  return std::string(reply.view().text());
}

}  // namespace bloometry
