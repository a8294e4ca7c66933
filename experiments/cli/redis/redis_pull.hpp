#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/redis/redis_client.hpp"
#include "experiments/filter_files/file_filter.hpp"
#include "variants/redis/redis_filter.hpp"

namespace bloometry::redis_cli {

using OnProgress = std::function<void(std::uint64_t, std::uint64_t)>;

/// Returns the number of keys added since the load, including duplicates. The parameters of the
/// strings contain the number of added keys. The result is 0 for a filter without parameters.
/// Throws RedisError.
[[nodiscard]] std::uint64_t num_updates(RedisClient& client, const RedisLocation& location);

/// Writes a filter of this library to a file. The parameters of the filter must be in Redis. If
/// keys were not added since the load and the filter does not have a fill limit, the file equals
/// the loaded file. If keys were added, the written file does not contain the number of inserted
/// keys. Throws RedisError or IoError and leaves an old file unchanged.
void pull_to_file(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                  const std::filesystem::path& path, const OnProgress& on_progress = {});

/// Copies a filter of any scheme to memory. A filter whose hash is unknown can only be inspected
/// and written.
[[nodiscard]] std::unique_ptr<FileFilter> pulled_filter(const std::shared_ptr<RedisClient>& client,
                                                        const RedisLocation& location);

}  // namespace bloometry::redis_cli
