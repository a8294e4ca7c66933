#pragma once

#include "core/redis/redis_client.hpp"
#include "experiments/cli/redis_options.hpp"

namespace bloometry::redis_cli {

/// @throws ConfigError for options that do not go with each other
void require_fitting_options(const AddOptions& options);

/// Makes the empty filter that the options describe, if there is none.
/// @returns false if there is one; it stays as it is.
/// @throws ConfigError; RedisError
bool create_if_missing(RedisClient& client, const AddOptions& options);

}  // namespace bloometry::redis_cli
