#pragma once

#include "core/redis/redis_client.hpp"
#include "experiments/cli/redis_options.hpp"

namespace bloometry::redis_cli {

/// Throws ConfigError for options that cannot be combined.
void require_fitting_options(const AddOptions& options);

/// Creates the empty filter that the options describe, unless a filter already exists.
/// @returns false if a filter already exists; the existing filter is not changed.
/// @throws ConfigError or RedisError
bool create_if_missing(RedisClient& client, const AddOptions& options);

}  // namespace bloometry::redis_cli
