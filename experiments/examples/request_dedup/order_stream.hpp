#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bloometry::examples {

/// The orders that clients send, in this order. An order is identified by its number; an order that
/// occurs again is a repetition, as by a second click or by a client that did not wait for the
/// reply.
struct OrderStream {
  std::vector<std::uint64_t> orders{};
  std::uint64_t num_distinct = 0;  ///< the orders have the numbers 0 .. num_distinct-1
};

/// Makes a stream of distinct orders, of which the share `repeated` is sent again. Half of these
/// follow their order at once, so that both are on their way at the same time. The others follow
/// up to 200 orders later.
[[nodiscard]] OrderStream make_order_stream(std::uint64_t num_orders, double repeated,
                                            std::uint64_t seed);

/// Returns the body of the request for an order, such as
/// `{"account":4711,"item":12,"order":42}`. Equal orders have equal bodies.
[[nodiscard]] std::string body_of(std::uint64_t order);

}  // namespace bloometry::examples
