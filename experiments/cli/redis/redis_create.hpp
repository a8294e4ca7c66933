#pragma once

#include "core/redis/redis_client.hpp"
#include "experiments/cli/redis/redis_options.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry::redis_cli {

/// Throws ConfigError for options that cannot be combined.
void require_fitting_options(const AddOptions& options);

/// Returns the parameters of the filter that --create makes. Throws ConfigError for options that do
/// not describe a filter.
[[nodiscard]] RedisParameters parameters_to_create(const AddOptions& options);

/// Creates an empty filter, unless a filter already exists.
/// @returns false if a filter already exists; the existing filter is not changed.
/// @throws RedisError
bool create_if_missing(RedisClient& client, const AddOptions& options,
                       const RedisParameters& parameters);

}  // namespace bloometry::redis_cli
