#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Names of keys in Redis. All that belongs to one bitmap has its hash tag, so that it is in one
/// slot of a cluster and one MULTI reaches it.
namespace bloometry {

/// Where the parameters of a bitmap are: `{seen}:parameters` of `seen`, `user:{7}:parameters` of
/// `user:{7}`.
/// @throws ConfigError if the key is empty, or has braces from which no tag can be made
[[nodiscard]] std::string parameters_key(std::string_view bitmap_key);

/// Where a bitmap is while it is loaded.
[[nodiscard]] std::string loading_key(std::string_view bitmap_key, std::string_view version);

/// `NAME:{i}:VERSION`: shard i of a filter that is cut.
[[nodiscard]] std::string shard_key(std::string_view name, std::uint64_t i,
                                    std::string_view version);

/// `NAME:current`: which version of a filter that is cut counts.
[[nodiscard]] std::string current_key(std::string_view name);

}  // namespace bloometry
