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

/// Keys that were added since the load, equal ones too, as the strings' parameters count them; 0
/// without parameters. @throws RedisError
[[nodiscard]] std::uint64_t num_updates(RedisClient& client, const RedisLocation& location);

/// Writes a filter with parameters of its own variants to a file: the file that was loaded, if
/// nothing was added since and it had no limit of its fill. Else the note of inserted keys is left
/// out. @throws RedisError; IoError, leaving the old file
void pull_to_file(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                  const std::filesystem::path& path, const OnProgress& on_progress = {});

/// The filter in memory, of any scheme; without a hash, it can be looked at and written.
[[nodiscard]] std::unique_ptr<FileFilter> pulled_filter(const std::shared_ptr<RedisClient>& client,
                                                        const RedisLocation& location);

}  // namespace bloometry::redis_cli
