#pragma once

#include <memory>

#include "core/redis/redis_client.hpp"
#include "experiments/cli/redis/redis_options.hpp"

namespace bloometry::redis_cli {

/// Prints the parameters and the live generations of a rotating filter.
/// @throws RedisError if the filter is missing or damaged
void print_rotating_info(const std::shared_ptr<RedisClient>& client, const InfoOptions& options);

}  // namespace bloometry::redis_cli
