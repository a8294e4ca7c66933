#pragma once

#include "experiments/examples/checks.hpp"
#include "experiments/examples/request_dedup/dedup_settings.hpp"
#include "experiments/examples/request_dedup/order_stream.hpp"

namespace bloometry::examples {

/// Sends a fifth of the orders in each of five states of Redis: it works, hangs, is dead, has been
/// restarted without data, and has a new filter. Prints a table with a row per state.
void live_through_outage(const OrderStream& stream, const DedupSettings& settings, Checks& checks);

}  // namespace bloometry::examples
