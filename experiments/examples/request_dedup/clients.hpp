#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/examples/latencies.hpp"
#include "experiments/examples/request_dedup/order_service.hpp"

namespace bloometry::examples {

/// The answers to some requests.
struct Answers {
  std::uint64_t num_handled = 0;    ///< requests that a service handled
  std::uint64_t num_repeated = 0;   ///< requests that a guard answered with 409
  std::uint64_t num_unguarded = 0;  ///< requests that were handled without an answer from Redis
  std::uint64_t num_failed = 0;     ///< requests without an answer, or with another status
  Latencies handled{};
  Latencies repeated{};
  /// Orders that were handled, once for each time.
  std::vector<std::uint64_t> handled_orders{};
};

/// Sends the orders to the services from several threads. Order i of the list goes to service i mod
/// (number of services), so that the repetition of an order may reach another service than the
/// order.
[[nodiscard]] Answers send_orders(std::span<const std::uint64_t> orders,
                                  std::span<const OrderService* const> services);

}  // namespace bloometry::examples
