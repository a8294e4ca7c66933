#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

/// Names of keys in Redis. All keys that belong to one bitmap have its hash tag. They are therefore
/// in one slot of a cluster, and one MULTI can access them.
namespace bloometry {

/// Returns the key of the parameters of a bitmap: `{seen}:parameters` of `seen`,
/// `user:{7}:parameters` of `user:{7}`.
/// @throws ConfigError if the key is empty, or has braces from which a tag cannot be made
[[nodiscard]] std::string parameters_key(std::string_view bitmap_key);

/// Returns the key of a bitmap while it is loaded.
[[nodiscard]] std::string loading_key(std::string_view bitmap_key, std::string_view version);

/// Time after which the keys of a load that ended early expire.
inline constexpr std::chrono::milliseconds kLoadingTtl{std::chrono::hours(1)};

/// Returns `NAME:{i}:VERSION`: the key of shard i of a sharded filter.
[[nodiscard]] std::string shard_key(std::string_view name, std::uint64_t i,
                                    std::string_view version);

/// Returns `NAME:current`: the key that holds the valid version of a sharded filter.
[[nodiscard]] std::string current_key(std::string_view name);

}  // namespace bloometry
