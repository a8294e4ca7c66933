#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/redis/redis_url.hpp"
#include "experiments/examples/request_dedup/dedup_settings.hpp"
#include "experiments/examples/request_dedup/order_service.hpp"

namespace bloometry::examples {

/// Creates the rotating filter that the services share. Each generation has room for num_requests
/// requests, because all of them may arrive within the time of one generation.
void create_shared_filter(const RedisUrl& url, const DedupSettings& settings,
                          std::uint64_t num_requests);

void drop_shared_filter(const RedisUrl& url);

/// Starts a service whose guard uses the shared filter over a connection of its own.
[[nodiscard]] std::unique_ptr<OrderService> start_guarded_service(const RedisUrl& url,
                                                                  const DedupSettings& settings);

}  // namespace bloometry::examples
