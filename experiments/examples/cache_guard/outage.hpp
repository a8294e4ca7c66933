#pragma once

#include "experiments/examples/cache_guard/guard_settings.hpp"
#include "experiments/examples/cache_guard/request_log.hpp"
#include "experiments/examples/cache_guard/url_table.hpp"
#include "experiments/examples/checks.hpp"

namespace bloometry::examples {

/// Serves the log once more. Meanwhile Redis hangs, is killed, restarts empty, and is loaded again.
/// Prints the outcome of the requests. Throws RedisError or IoError.
void live_through_outage(const RequestLog& log, UrlTable& table, const GuardSettings& settings,
                         Checks& checks);

}  // namespace bloometry::examples
