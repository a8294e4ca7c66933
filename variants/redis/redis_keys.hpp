#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/redis/redis_client.hpp"

/// Names of keys in Redis. All keys that belong to one bitmap have the hash tag of the bitmap. All
/// keys of a bitmap are therefore in one slot of a cluster, and one MULTI can access them.
namespace bloometry {

/// Returns `{seen}:SUFFIX` for `seen`, and `user:{7}:SUFFIX` for `user:{7}`.
/// @throws ConfigError if the key is empty, or if its braces do not allow a hash tag
[[nodiscard]] std::string key_beside(std::string_view bitmap_key, const std::string& suffix);

/// Returns the key of a bitmap's parameters: `{seen}:parameters` for `seen`, and
/// `user:{7}:parameters` for `user:{7}`.
/// @throws ConfigError if the key is empty, or if its braces do not allow a hash tag
[[nodiscard]] std::string parameters_key(std::string_view bitmap_key);

/// Returns the temporary key of a bitmap during its load.
[[nodiscard]] std::string loading_key(std::string_view bitmap_key, std::string_view version);

/// Expiry of the keys of an interrupted load.
inline constexpr std::chrono::milliseconds kLoadingTtl{std::chrono::hours(1)};

/// Returns `NAME:{i}:VERSION`, the key of shard i of a sharded filter.
[[nodiscard]] std::string shard_key(std::string_view name, std::uint64_t i,
                                    std::string_view version);

/// Returns `NAME:current`, the key that holds the valid version of a sharded filter.
[[nodiscard]] std::string current_key(std::string_view name);

/// Returns the type of a key, such as `string` or `list`, or `none` if the key does not exist.
/// @throws RedisError as RedisClient::command does
[[nodiscard]] std::string type_of(RedisClient& client, const std::string& key);

}  // namespace bloometry
