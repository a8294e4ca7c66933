#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/redis/redis_client.hpp"
#include "experiments/filters/file_filter.hpp"
#include "variants/redis/redis_filter.hpp"

namespace bloometry::redis_cli {

using OnProgress = std::function<void(std::uint64_t, std::uint64_t)>;

/// Returns the number of keys added since the load, including duplicates. The number is stored in
/// the strings' parameters; the result is 0 without parameters. @throws RedisError
[[nodiscard]] std::uint64_t num_updates(RedisClient& client, const RedisLocation& location);

/// Writes a filter of a variant of this library, which has parameters in Redis, to a file. The file
/// equals the one that was loaded if keys were not added since and the filter lacks a fill limit.
/// Otherwise the number of inserted keys is omitted. @throws RedisError; IoError, leaving the old
/// file unchanged
void pull_to_file(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                  const std::filesystem::path& path, const OnProgress& on_progress = {});

/// Returns a filter of any scheme in memory. Without its hash, the filter can only be inspected and
/// written.
[[nodiscard]] std::unique_ptr<FileFilter> pulled_filter(const std::shared_ptr<RedisClient>& client,
                                                        const RedisLocation& location);

}  // namespace bloometry::redis_cli
