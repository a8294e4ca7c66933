#pragma once

#include "experiments/examples/cache_guard/guard_settings.hpp"
#include "experiments/examples/cache_guard/request_log.hpp"
#include "experiments/examples/cache_guard/url_table.hpp"
#include "experiments/examples/checks.hpp"

namespace bloometry::examples {

/// Serves the log once without a guard and once with each of four guards. Prints lookups, latencies
/// and false-positive rates. Throws RedisError or IoError.
void compare_services(const RequestLog& log, UrlTable& table, const GuardSettings& settings,
                      Checks& checks);

}  // namespace bloometry::examples
